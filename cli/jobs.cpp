// SPDX-License-Identifier: Apache-2.0
#include "cli/jobs.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace perfsim {

using perfcore::u32;
using perfcore::u64;
using perfcore::usize;

namespace {

struct Frame {
    u64 output_size;
    u64 errors_size;
    int exit_code;
    int unused;
};

void write_all(int fd, const void* bytes, usize size)
{
    const char* at = static_cast<const char*>(bytes);
    while (size != 0) {
        const ssize_t wrote = write(fd, at, size);
        if (wrote < 0 && errno == EINTR)
            continue;
        if (wrote <= 0)
            _exit(1); // the parent has gone
        at += wrote;
        size -= static_cast<usize>(wrote);
    }
}

void send(int fd, const JobResult& result)
{
    const Frame frame{result.output.size(), result.errors.size(), result.exit_code, 0};
    write_all(fd, &frame, sizeof frame);
    write_all(fd, result.output.data(), result.output.size());
    write_all(fd, result.errors.data(), result.errors.size());
}

struct Worker {
    pid_t pid = -1;
    int fd = -1;
    u32 next = 0; ///< item it is at
    u32 end = 0;
    std::string buffer;
};

/// Takes one whole frame off the buffer.
bool receive(std::string& buffer, JobResult& result)
{
    Frame frame{};
    if (buffer.size() < sizeof frame)
        return false;
    std::memcpy(&frame, buffer.data(), sizeof frame);
    if (buffer.size() < sizeof frame + frame.output_size + frame.errors_size)
        return false;
    result.finished = true;
    result.exit_code = frame.exit_code;
    result.output = buffer.substr(sizeof frame, frame.output_size);
    result.errors = buffer.substr(sizeof frame + frame.output_size, frame.errors_size);
    buffer.erase(0, sizeof frame + frame.output_size + frame.errors_size);
    return true;
}

using Work = std::function<void(u32, u32, const std::function<void(const JobResult&)>&)>;

void start(Worker& worker, const std::vector<Worker>& all, const Work& work)
{
    int fds[2];
    if (pipe(fds) != 0) {
        std::perror("perfsim: pipe");
        std::exit(2);
    }
    std::fflush(nullptr);
    worker.pid = fork();
    if (worker.pid < 0) {
        std::perror("perfsim: fork");
        std::exit(2);
    }
    if (worker.pid == 0) {
        close(fds[0]);
        for (Worker const& other : all)
            if (other.fd >= 0)
                close(other.fd);
        const int fd = fds[1];
        work(worker.next, worker.end, [fd](const JobResult& result) { send(fd, result); });
        std::fflush(nullptr);
        _exit(0);
    }
    close(fds[1]);
    worker.fd = fds[0];
    worker.buffer.clear();
}

} // namespace

void run_jobs(u32 count, u32 jobs, const Work& work,
              const std::function<void(u32, const JobResult&)>& done)
{
    std::vector<JobResult> results(count);
    std::vector<bool> arrived(count, false);
    u32 delivered = 0;
    const auto deliver = [&](u32 item, JobResult result) {
        results[item] = std::move(result);
        arrived[item] = true;
        while (delivered < count && arrived[delivered]) {
            done(delivered, results[delivered]);
            results[delivered] = JobResult{};
            ++delivered;
        }
    };

    const u32 workers_count = std::max<u32>(1, std::min(jobs, count));
    std::vector<Worker> workers(workers_count);
    for (u32 index = 0; index < workers_count; ++index) {
        workers[index].next = static_cast<u32>(u64{count} * index / workers_count);
        workers[index].end = static_cast<u32>(u64{count} * (index + 1) / workers_count);
        start(workers[index], workers, work);
    }
    while (delivered < count) {
        std::vector<pollfd> fds;
        std::vector<u32> owners;
        for (u32 index = 0; index < workers_count; ++index)
            if (workers[index].fd >= 0) {
                fds.push_back({workers[index].fd, POLLIN, 0});
                owners.push_back(index);
            }
        if (poll(fds.data(), fds.size(), -1) < 0 && errno != EINTR)
            std::abort();
        for (usize slot = 0; slot < fds.size(); ++slot) {
            if (fds[slot].revents == 0)
                continue;
            Worker& worker = workers[owners[slot]];
            char chunk[65536];
            const ssize_t got = read(worker.fd, chunk, sizeof chunk);
            if (got > 0) {
                worker.buffer.append(chunk, static_cast<usize>(got));
                JobResult result;
                while (receive(worker.buffer, result))
                    deliver(worker.next++, std::move(result));
                continue;
            }
            close(worker.fd);
            worker.fd = -1;
            int status = 0;
            waitpid(worker.pid, &status, 0);
            if (worker.next >= worker.end)
                continue;
            // It died in an item: that one is a crash, the rest goes on in a new process.
            JobResult crash;
            if (WIFSIGNALED(status))
                crash.errors = std::string("the worker was killed by signal ") +
                               std::to_string(WTERMSIG(status)) + " (" +
                               strsignal(WTERMSIG(status)) + ")\n";
            else
                crash.errors =
                    "the worker ended with status " + std::to_string(WEXITSTATUS(status)) + "\n";
            deliver(worker.next++, std::move(crash));
            if (worker.next < worker.end)
                start(worker, workers, work);
        }
    }
    for (Worker& worker : workers)
        if (worker.fd >= 0) {
            close(worker.fd);
            waitpid(worker.pid, nullptr, 0);
        }
}

} // namespace perfsim
