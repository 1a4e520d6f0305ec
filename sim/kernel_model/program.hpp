// SPDX-License-Identifier: Apache-2.0
// Program: one thread's operations, executed on its task's stack.
#pragma once

#include "sim/kernel_model/world.hpp"

namespace perfsim {

class Program {
public:
    Program(World& world, Task& task)
        : m_world(world), m_task(task), m_spec(world.m_scenario.threads[task.thread])
    {
    }

    /// Runs to the end of the list, an exit, or the kill of the drain; then leaves: task exit,
    /// and with the last thread the process' mappings and files.
    void run();
    /// Drops a reference to a file; the last one closes its event for good.
    void put(File& file);

private:
    void execute(const Op& op);
    void wait_for(const Op& op);
    void set_affinity(const Op& op);
    void open(const Op& op);
    void read(const Op& op);
    void ioctl(const Op& op);
    void map(const Op& op);
    void unmap(const Op& op);
    void drain_ring(const Op& op);
    void close(const Op& op);
    void leave();

    /// The file an operation names, null (and -EBADF observed) if it is not open.
    File* file_of(const Op& op);
    struct Closing {
        World& world;
        File& file;
    };
    static void take_last(perfcore::CpuState* cpu, perfcore::Event& event, void* argument);
    void unmap(Vma& vma);
    void sleep_until(u64 ps);
    void observe(const Op& op, u32 handle, i64 result, const u8* bytes = nullptr, u64 size = 0);
    u8* scratch() { return m_task.user_memory.data(); }

    World& m_world;
    Task& m_task;
    const Thread& m_spec;
    u32 m_op = 0;
};

} // namespace perfsim
