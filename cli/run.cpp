// SPDX-License-Identifier: Apache-2.0
// perfsim run: load everything, run everything, report in the order given, worst exit code wins.
#include "cli/commands.hpp"
#include "cli/jobs.hpp"
#include "sim/kernel_model/simulator.hpp"
#include "sim/scenario/expect.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <unistd.h>

namespace perfsim {

namespace fs = std::filesystem;

namespace {

/// One scenario under one seed.
struct Item {
    const LoadedScenario* loaded = nullptr;
    RunOptions options;
};

std::string unmet_need(const LoadedScenario& loaded)
{
    const Needs& needs = loaded.scenario.needs;
    const MachineConfig& machine = loaded.machine;
    if (machine.cpu_count() < needs.cpus)
        return fmt::format("needs {} CPUs, machine {} has {}", needs.cpus, machine.name,
                           machine.cpu_count());
    if (machine.clusters.size() < needs.clusters)
        return fmt::format("needs {} clusters, machine {} has {}", needs.clusters, machine.name,
                           machine.clusters.size());
    for (u32 event : needs.events)
        for (ClusterConfig const& cluster : machine.clusters) {
            const u64 bits = event < 0x20 ? cluster.pmu.pmceid0 : cluster.pmu.pmceid1;
            if (((bits >> (event % 0x20)) & 1) == 0)
                return fmt::format("needs event {:#x}, which {} does not implement", event,
                                   cluster.core_type);
        }
    return "";
}

WorldResult run_item(Simulator& simulator, const Item& item, bool check_determinism)
{
    const LoadedScenario& loaded = *item.loaded;
    WorldResult result;
    result.skip_reason = unmet_need(loaded);
    result.skipped = !result.skip_reason.empty();
    if (result.skipped)
        return result;
    result = simulator.run(loaded.machine, loaded.scenario, item.options);
    if (check_determinism) {
        const WorldResult again = simulator.run(loaded.machine, loaded.scenario, item.options);
        if (report_json(loaded.scenario, item.options, result) !=
            report_json(loaded.scenario, item.options, again))
            result.failures.push_back({FailureKind::Determinism,
                                       "determinism",
                                       "two runs with the same seed differ",
                                       {}});
    }
    // A world that was abandoned has not observed what expectations speak of.
    if (result.failures.empty())
        evaluate(loaded.scenario, result,
                 item.options.schedule == ScheduleKind::Ordered ? Scope::Ordered
                                                                : Scope::Simulation);
    return result;
}

JobResult report_item(const Item& item, const WorldResult& result, bool json)
{
    JobResult job;
    job.finished = true;
    job.exit_code = exit_code_of(result);
    const LoadedScenario& loaded = *item.loaded;
    for (std::string const& line : result.log)
        job.errors += line + "\n";
    job.output = json ? report_json(loaded.scenario, item.options, result) + "\n"
                      : report_text(loaded.scenario, loaded.machine, item.options, result);
    if (result.skipped)
        job.exit_code = kExitPass;
    return job;
}

/// File name for a scenario's outputs: its path with dashes.
std::string flat_name(const std::string& file)
{
    std::string name = fs::path(file).lexically_normal().replace_extension("").string();
    for (char& c : name)
        if (c == '/')
            c = '-';
    while (!name.empty() && (name.front() == '-' || name.front() == '.'))
        name.erase(0, 1);
    return name;
}

/// Whole or not at all: written beside its place, then renamed.
bool write_file(const fs::path& path, const std::string& text)
{
    const fs::path temporary = path.string() + ".part";
    {
        std::ofstream stream(temporary, std::ios::binary | std::ios::trunc);
        stream << text;
        stream.flush();
        if (!stream) {
            fmt::print(stderr, "perfsim: error: cannot write {}\n", temporary.string());
            std::error_code ignored;
            fs::remove(temporary, ignored);
            return false;
        }
    }
    std::error_code code;
    fs::rename(temporary, path, code);
    if (code)
        fmt::print(stderr, "perfsim: error: cannot write {}: {}\n", path.string(), code.message());
    return !code;
}

bool make_directory(const std::string& path)
{
    std::error_code code;
    fs::create_directories(path, code);
    if (code || !fs::is_directory(path)) {
        fmt::print(stderr, "perfsim: error: cannot make directory {}: {}\n", path, code.message());
        return false;
    }
    return true;
}

class Output {
public:
    Output(const RunCommand& command, const std::vector<Item>& items)
        : m_command(command), m_items(items), m_progress(isatty(STDERR_FILENO) != 0)
    {
    }

    void item_done(u32 index, const JobResult& raw)
    {
        const Item& item = m_items[index];
        const std::string& file = item.loaded->scenario.file;
        JobResult job = raw;
        if (!job.finished) {
            job.exit_code = kExitCrash;
            job.output =
                fmt::format("{}: crash with seed {}: {}", file, item.options.seed, job.errors);
            job.errors.clear();
        }
        ++m_done;
        m_code = worse_exit_code(m_code, job.exit_code);
        m_passed += job.exit_code == kExitPass ? 1 : 0;
        clear_progress();
        // Many seeds of one scenario: only what failed is worth a report.
        const bool quiet = m_command.seeds > 1 && job.exit_code == kExitPass;
        if (m_command.out_dir.empty()) {
            if (!quiet)
                fmt::print("{}", job.output);
            std::fflush(stdout);
            fmt::print(stderr, "{}", job.errors);
        } else if (!quiet) {
            save(item, job);
        }
        show_progress();
    }

    int finish()
    {
        clear_progress();
        if (!m_command.json && m_items.size() > 1)
            fmt::print("{} runs: {} passed, {} failed\n", m_items.size(), m_passed,
                       m_items.size() - m_passed);
        return m_write_failed ? worse_exit_code(m_code, kExitUsage) : m_code;
    }

private:
    void save(const Item& item, const JobResult& job)
    {
        std::string name = flat_name(item.loaded->scenario.file);
        if (m_command.seeds > 1)
            name += fmt::format("-seed{}", item.options.seed);
        const fs::path base = fs::path(m_command.out_dir) / name;
        m_write_failed |=
            !write_file(base.string() + (m_command.json ? ".json" : ".txt"), job.output);
        if (item.options.log)
            m_write_failed |= !write_file(base.string() + ".log", job.errors);
    }

    void show_progress()
    {
        if (m_progress && m_items.size() > 1 && m_done < m_items.size())
            fmt::print(stderr, "\r{}/{} runs, {} failed", m_done, m_items.size(),
                       m_done - m_passed);
    }
    void clear_progress()
    {
        if (m_progress && m_items.size() > 1)
            fmt::print(stderr, "\r\033[K");
    }

    const RunCommand& m_command;
    const std::vector<Item>& m_items;
    bool m_progress;
    bool m_write_failed = false;
    std::size_t m_done = 0;
    std::size_t m_passed = 0;
    int m_code = kExitPass;
};

/// In this process: SystemC is elaborated once, for the largest machine asked for.
void run_share(const std::vector<Item>& items, u32 begin, u32 end, const RunCommand& command,
               const std::function<void(const JobResult&)>& emit)
{
    u32 cpus = 1;
    for (Item const& item : items)
        cpus = std::max(cpus, item.loaded->machine.cpu_count());
    simulate(cpus, [&](Simulator& simulator) {
        for (u32 index = begin; index < end; ++index) {
            const WorldResult result = run_item(simulator, items[index], command.check_determinism);
            emit(report_item(items[index], result, command.json));
        }
    });
}

} // namespace

int run_command(const RunCommand& command)
{
    std::vector<std::string> errors;
    const std::vector<std::string> files = discover(command.paths, errors);
    for (std::string const& error : errors)
        fmt::print(stderr, "{}\n", error);
    std::vector<LoadedScenario> loaded;
    bool good = errors.empty();
    for (std::string const& file : files) {
        auto scenario = load_file(file, command.machines);
        good = good && scenario.has_value();
        if (scenario)
            loaded.push_back(std::move(*scenario));
    }
    if (!good)
        return kExitUsage;
    if (!command.out_dir.empty() && !make_directory(command.out_dir))
        return kExitUsage;

    std::vector<Item> items;
    for (LoadedScenario const& scenario : loaded)
        for (u64 seed = 0; seed < command.seeds; ++seed) {
            Item item{&scenario, command.options};
            item.options.seed += seed;
            items.push_back(item);
        }
    Output output(command, items);
    const u32 count = static_cast<u32>(items.size());
    run_jobs(
        count, command.jobs,
        [&](u32 begin, u32 end, const std::function<void(const JobResult&)>& emit) {
            run_share(items, begin, end, command, emit);
        },
        [&](u32 index, const JobResult& result) { output.item_done(index, result); });
    return output.finish();
}

} // namespace perfsim
