// SPDX-License-Identifier: Apache-2.0
#include "sim/kernel_model/oracles/oracles.hpp"

namespace perfsim {

std::vector<std::unique_ptr<Observer>> make_observers(WorldView& world, const RunOptions& options)
{
    std::vector<std::unique_ptr<Observer>> observers;
    auto books = std::make_unique<Books>(world);
    Books& truth = *books;
    // The books come first: what the others ask them is then up to date.
    observers.push_back(std::move(books));
    observers.push_back(make_truth_oracle(world, truth));
    observers.push_back(make_conservation_oracle(world, truth));
    observers.push_back(make_record_oracle(world, truth));
    observers.push_back(make_ownership_oracle(world, truth));
    observers.push_back(make_context_oracle(world));
    observers.push_back(make_quiescence_oracle(world));
    if (options.log)
        observers.push_back(make_world_log(world, truth));
    return observers;
}

} // namespace perfsim
