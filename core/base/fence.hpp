// SPDX-License-Identifier: Apache-2.0
// Included last by every source file of the core: from here on `std` is no namespace. The core is
// freestanding; the few standard headers it uses (cstddef, cstdint, concepts, new) are included
// above this line, and what they declare in std is used in headers only.
#pragma once

#define std perfcore_std_is_fenced
