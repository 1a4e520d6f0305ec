// SPDX-License-Identifier: Apache-2.0
// The oracles of a world, one file each; what a rule is stands at the top of its file.
#pragma once

#include "sim/kernel_model/oracles/books.hpp"

namespace perfsim {

std::unique_ptr<Observer> make_truth_oracle(WorldView& world, Books& books);
std::unique_ptr<Observer> make_conservation_oracle(WorldView& world, Books& books);
std::unique_ptr<Observer> make_record_oracle(WorldView& world, Books& books);
std::unique_ptr<Observer> make_ownership_oracle(WorldView& world, Books& books);
std::unique_ptr<Observer> make_context_oracle(WorldView& world);
std::unique_ptr<Observer> make_quiescence_oracle(WorldView& world);
std::unique_ptr<Observer> make_world_log(WorldView& world, Books& books);

} // namespace perfsim
