// SPDX-License-Identifier: Apache-2.0
#include "sim/scenario/program_loader.hpp"

#include "sim/scenario/attr_loader.hpp"
#include "sim/scenario/quantities.hpp"

#include <fmt/format.h>

namespace perfsim {

namespace {

using namespace perfcore;

constexpr u64 kInsnMax = 1'000'000'000'000'000;
constexpr usize kOpsMax = 1'000'000;
constexpr u64 kReadMax = 16 * 1024;
constexpr u64 kPagesMax = 1 << 16;

struct Named {
    const char* name;
    u64 value;
};

constexpr Named kCommands[] = {
    {"ENABLE", PERF_EVENT_IOC_ENABLE},   {"DISABLE", PERF_EVENT_IOC_DISABLE},
    {"REFRESH", PERF_EVENT_IOC_REFRESH}, {"RESET", PERF_EVENT_IOC_RESET},
    {"PERIOD", PERF_EVENT_IOC_PERIOD},   {"SET_OUTPUT", PERF_EVENT_IOC_SET_OUTPUT},
    {"ID", PERF_EVENT_IOC_ID},           {"PAUSE_OUTPUT", PERF_EVENT_IOC_PAUSE_OUTPUT},
};

constexpr Named kFlags[] = {
    {"no_group", PERF_FLAG_FD_NO_GROUP},
    {"output", PERF_FLAG_FD_OUTPUT},
    {"cgroup", PERF_FLAG_PID_CGROUP},
    {"cloexec", PERF_FLAG_FD_CLOEXEC},
};

template <usize N>
std::optional<u64> find(const Named (&table)[N], const std::string& name)
{
    for (Named const& entry : table)
        if (name == entry.name)
            return entry.value;
    return std::nullopt;
}

template <usize N>
std::vector<std::string> names_of(const Named (&table)[N])
{
    std::vector<std::string> names;
    for (Named const& entry : table)
        names.push_back(entry.name);
    return names;
}

} // namespace

std::vector<u32> ProgramLoader::cpus(const YAML::Node& node)
{
    std::vector<u32> list;
    for (YAML::Node const& item : m_yaml.scalars(node, "cpus")) {
        const u32 cpu = m_names.cpu(item, m_machine);
        if (cpu != kNone)
            list.push_back(cpu);
    }
    if (list.empty())
        m_yaml.error(node, "a thread needs at least one CPU to run on");
    return list;
}

void ProgramLoader::load(const YAML::Node& processes)
{
    u32 thread = 0;
    u32 process_index = 0;
    for (auto const& process : processes) {
        if (!process.second.IsMap()) {
            m_yaml.error(process.second, fmt::format("process '{}' must be a map of threads",
                                                     process.first.Scalar()));
            continue;
        }
        Process& compiled = m_scenario.processes[process_index++];
        if (m_yaml.names(process.second, fmt::format("process '{}'", compiled.name)) &&
            process.second["perfmon"])
            compiled.perfmon = m_yaml.boolean(process.second["perfmon"], "perfmon").value_or(true);
        for (auto const& entry : process.second)
            if (!entry.first.IsScalar() || find_key("process", entry.first.Scalar()) == nullptr)
                load_thread(entry.second, m_scenario.threads[thread++]);
        if (compiled.threads.empty())
            m_yaml.error(process.first, fmt::format("process '{}' has no thread", compiled.name));
    }
}

void ProgramLoader::load_thread(const YAML::Node& node, Thread& thread)
{
    if (!m_yaml.object(node, "thread", fmt::format("thread '{}'", thread.name)))
        return;
    if (node["cpus"])
        thread.cpus = cpus(node["cpus"]);
    load_list(node["run"], thread.run, 0);
}

void ProgramLoader::load_list(const YAML::Node& list, std::vector<Op>& out, u32 depth)
{
    if (!m_yaml.list(list, "a program"))
        return;
    for (auto const& node : list)
        load_op(node, out, depth);
}

void ProgramLoader::load_op(const YAML::Node& node, std::vector<Op>& out, u32 depth)
{
    if (!m_yaml.object(node, "op", "operation"))
        return;
    if (node.size() != 1) {
        m_yaml.error(node,
                     fmt::format("an operation has exactly one key; this has {}", node.size()));
        return;
    }
    const std::string key = node.begin()->first.Scalar();
    const YAML::Node value = node.begin()->second;
    Op op;
    op.position = YamlReader::position(node.begin()->first);
    if (key == "repeat") {
        load_repeat(value, out, depth);
        return;
    }
    if (!load_simple(key, value, op)) {
        // Operations with a map of their own.
        if (!m_yaml.object(value, "op." + key, key))
            return;
        if (value["as"])
            op.as = m_yaml.text(value["as"], "as").value_or("");
        if (key == "run") {
            op.code = OpCode::Run;
            op.insn = m_yaml.integer(value["insn"], "insn", 0, kInsnMax).value_or(0);
            op.function = m_names.function(value["in"]);
        } else if (key == "open") {
            load_open(value, op);
        } else if (key == "ioctl") {
            load_ioctl(value, op);
        } else if (key == "read") {
            load_read(value, op);
        } else if (key == "mmap") {
            load_mmap(value, op);
        } else {
            op.code = OpCode::Drain;
            op.ring = m_names.ring(value["ring"]);
        }
    }
    if (out.size() >= kOpsMax)
        m_yaml.error(node, fmt::format("a program has at most {} operations", kOpsMax));
    else
        out.push_back(op);
}

bool ProgramLoader::load_simple(const std::string& key, const YAML::Node& value, Op& op)
{
    if (key == "mark") {
        op.code = OpCode::Mark;
        op.mark = m_names.mark(value);
    } else if (key == "wait") {
        op.code = OpCode::Wait;
        if (!value.IsScalar() || value.Scalar() != "never")
            op.mark = m_names.mark(value);
    } else if (key == "at" || key == "sleep") {
        op.code = key == "at" ? OpCode::At : OpCode::Sleep;
        op.time_ps = m_yaml.time_ps(value, key).value_or(0);
    } else if (key == "yield" || key == "exit") {
        op.code = key == "yield" ? OpCode::Yield : OpCode::Exit;
        const char* word = key == "yield" ? "once" : "thread";
        if (m_yaml.text(value, key).value_or(word) != word)
            m_yaml.error(value, fmt::format("write '{}: {}'", key, word));
    } else if (key == "setaffinity") {
        op.code = OpCode::SetAffinity;
        op.cpus = cpus(value);
    } else if (key == "munmap") {
        op.code = OpCode::Munmap;
        op.ring = m_names.ring(value);
    } else if (key == "close") {
        op.code = OpCode::Close;
        op.handle = m_names.handle(value);
    } else {
        return false;
    }
    return true;
}

void ProgramLoader::load_open(const YAML::Node& node, Op& op)
{
    op.code = OpCode::Open;
    op.event = m_names.event(node["event"]);
    op.handle = m_names.handle(node["as"]);
    if (op.handle != kNone)
        m_scenario.handles[op.handle].event = op.event;
    if (node["task"]) {
        const std::string task = m_yaml.text(node["task"], "task").value_or("");
        const auto pid = parse_i64(task);
        if (task == "self") {
            op.target = OpenTarget::Self;
        } else if (pid) {
            op.target = OpenTarget::Pid;
            op.pid = static_cast<i32>(
                m_yaml.signed_integer(node["task"], "a pid", -0x7fffffff, 0x7fffffff).value_or(-1));
        } else if (task != "none") {
            op.target = OpenTarget::Thread;
            op.thread = m_names.thread(node["task"]);
        }
    }
    if (node["cpu"]) {
        // A negative number is passed on as it is: which of them are refused is the core's affair.
        const auto number = parse_i64(m_yaml.text(node["cpu"], "cpu").value_or(""));
        op.cpu = number && *number < 0 ? static_cast<i32>(*number)
                                       : static_cast<i32>(m_names.cpu(node["cpu"], m_machine));
    }
    if (node["group"])
        op.group = static_cast<i32>(m_names.handle(node["group"]));
    if (node["flags"]) {
        for (YAML::Node const& item : m_yaml.scalars(node["flags"], "flags")) {
            const auto flag = find(kFlags, item.Scalar());
            const auto number = parse_u64(item.Scalar());
            if (!flag && !number)
                m_yaml.error(item, fmt::format("unknown flag '{}'{}", item.Scalar(),
                                               suggestion(item.Scalar(), names_of(kFlags))));
            op.flags |= flag ? *flag : number.value_or(0);
        }
    }
}

void ProgramLoader::load_ioctl(const YAML::Node& node, Op& op)
{
    op.code = OpCode::Ioctl;
    op.handle = m_names.handle(node["event"]);
    const std::string command = m_yaml.text(node["do"], "do").value_or("");
    const auto named = find(kCommands, command);
    const auto number = parse_u64(command);
    constexpr u64 kCommandMax = 0xffff'ffff;
    if (!named && (!number || *number > kCommandMax))
        m_yaml.error(node["do"], fmt::format("unknown command '{}'{}", command,
                                             suggestion(command, names_of(kCommands))));
    op.command = static_cast<u32>(named ? *named : number.value_or(0));
    if (node["arg"])
        op.argument = m_yaml.integer(node["arg"], "arg", 0, ~u64{0}).value_or(0);
}

void ProgramLoader::load_read(const YAML::Node& node, Op& op)
{
    op.code = OpCode::Read;
    op.handle = m_names.handle(node["event"]);
    if (node["size"])
        op.size = m_yaml.integer(node["size"], "size", 0, kReadMax).value_or(0);
    else
        op.size = kReadMax;
}

void ProgramLoader::load_mmap(const YAML::Node& node, Op& op)
{
    op.code = OpCode::Mmap;
    op.handle = m_names.handle(node["event"]);
    op.ring = m_names.ring(node["as"]);
    if (op.ring != kNone)
        m_scenario.rings[op.ring].handle = op.handle;
    op.pages = m_yaml.integer(node["pages"], "pages", 0, kPagesMax).value_or(0);
    if (node["prot"]) {
        const std::string prot = m_yaml.text(node["prot"], "prot").value_or("");
        if (prot != "rw" && prot != "r")
            m_yaml.error(node["prot"], fmt::format("prot is rw or r, not '{}'", prot));
        op.writable = prot == "rw";
    }
}

void ProgramLoader::load_repeat(const YAML::Node& node, std::vector<Op>& out, u32 depth)
{
    if (!m_yaml.object(node, "op.repeat", "repeat"))
        return;
    if (depth >= kRepeatDepthMax) {
        m_yaml.error(node, fmt::format("repeat nests at most {} deep", kRepeatDepthMax));
        return;
    }
    constexpr u64 kTimesMax = 100'000;
    const u64 times = m_yaml.integer(node["times"], "times", 1, kTimesMax).value_or(1);
    std::vector<Op> body;
    load_list(node["do"], body, depth + 1);
    if (body.size() * times > kOpsMax - std::min(out.size(), kOpsMax)) {
        m_yaml.error(node, fmt::format("a program has at most {} operations", kOpsMax));
        return;
    }
    for (u64 i = 0; i < times; ++i)
        out.insert(out.end(), body.begin(), body.end());
}

} // namespace perfsim
