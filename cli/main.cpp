// SPDX-License-Identifier: Apache-2.0
// perfsim: runs perf scenarios on a simulated big.LITTLE machine.
#include "cli/commands.hpp"

#include <CLI/CLI.hpp>
#include <systemc>

namespace {

const char* const kFooter =
    "Exit codes: 0 pass, 1 expectation failed, 2 usage or bad file, 127 crash, 128 liveness,\n"
    "129 oracle, 130 not deterministic. Of several the worst wins.\n"
    "\n"
    "Examples:\n"
    "  perfsim run scenarios/quickstart.yaml\n"
    "  perfsim run scenarios --seeds 200 --schedule random --jobs 2\n"
    "  perfsim run scenarios/quickstart.yaml --log\n"
    "  perfsim show machine rk3588";

/// Machines beside the working directory first, then those of the build or installation.
perfsim::SearchPath machine_path(const std::string& asked)
{
    if (!asked.empty())
        return {asked};
    return {"scenarios/machines", PERFSIM_MACHINES_SOURCE, PERFSIM_MACHINES_INSTALLED};
}

} // namespace

int main(int argc, char** argv)
{
    CLI::App app("perfsim runs perf scenarios on a simulated big.LITTLE machine.");
    app.footer(kFooter);
    app.set_version_flag("--version", "perfsim " PERFSIM_VERSION);
    app.require_subcommand(1);
    std::string machines;

    perfsim::RunCommand run;
    std::string schedule = "ordered";
    std::string format = "text";
    CLI::App* run_app =
        app.add_subcommand("run", "Run scenario files, or all files of directories");
    run_app->add_option("paths", run.paths, "Files or directories")->required();
    run_app->add_option("--seed", run.options.seed, "Seed (decimal or 0x...)")
        ->capture_default_str();
    run_app->add_option("--seeds", run.seeds, "Run this many seeds, from --seed on")
        ->check(CLI::Range(1, 10'000'000))
        ->capture_default_str();
    run_app->add_option("--schedule", schedule, "Order of what happens at the same time")
        ->check(CLI::IsMember({"ordered", "random"}))
        ->capture_default_str();
    run_app->add_option("--format", format, "Form of the report")
        ->check(CLI::IsMember({"text", "json"}))
        ->capture_default_str();
    run_app->add_option("--out", run.out_dir, "Write reports to files in this directory");
    run_app->add_flag("--log", run.options.log, "One line per CPU per change, to standard error");
    run_app->add_option("--jobs", run.jobs, "Worker processes")
        ->check(CLI::Range(1, 256))
        ->capture_default_str();
    run_app->add_flag("--check-determinism", run.check_determinism,
                      "Run everything twice, compare");

    std::vector<std::string> check_paths;
    CLI::App* check_app = app.add_subcommand("check", "Check files without running them");
    check_app->add_option("paths", check_paths, "Files or directories")->required();

    std::string list_what;
    std::vector<std::string> list_paths = {"scenarios"};
    CLI::App* list_app = app.add_subcommand("list", "List machines, scenarios or events");
    list_app->add_option("what", list_what, "machines, scenarios or events")
        ->required()
        ->check(CLI::IsMember({"machines", "scenarios", "events"}));
    list_app->add_option("paths", list_paths, "Where scenarios are looked for")
        ->capture_default_str();

    std::string show_what;
    std::string show_name;
    CLI::App* show_app = app.add_subcommand("show", "Show a machine or an event");
    show_app->add_option("what", show_what, "machine or event")
        ->required()
        ->check(CLI::IsMember({"machine", "event"}));
    show_app->add_option("name", show_name, "Its name (an event's number will do)")->required();

    CLI::App* schema_app = app.add_subcommand("schema", "Print the JSON Schema of scenario files");

    for (CLI::App* sub : {run_app, check_app, list_app, show_app})
        sub->add_option("--machines", machines, "Directory of machine files");

    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? perfsim::kExitPass : perfsim::kExitUsage;
    }

    const perfsim::SearchPath path = machine_path(machines);
    if (*run_app) {
        run.machines = path;
        run.json = format == "json";
        run.options.schedule =
            schedule == "random" ? perfsim::ScheduleKind::Random : perfsim::ScheduleKind::Ordered;
        return perfsim::run_command(run);
    }
    if (*check_app)
        return perfsim::check_command(check_paths, path);
    if (*list_app)
        return perfsim::list_command(list_what, list_paths, path);
    if (*show_app)
        return perfsim::show_command(show_what, show_name, path);
    if (*schema_app)
        return perfsim::schema_command();
    return perfsim::kExitUsage;
}

// The SystemC library has a main of its own that calls this; ours is used instead.
int sc_main(int, char**)
{
    return perfsim::kExitUsage;
}
