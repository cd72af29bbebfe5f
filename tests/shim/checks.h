// Checks of what a kernel does, compiled into it: alignment, bounds of arrays, division by zero, and
// under GENESIS_SHIM_SANITIZE=1 every access of memory.
#pragma once

#include <cstddef>
#include <string>

#include "runtime.h"

namespace shim {

/// Says which kernel is about to run, so that its own memory is known. `image` is the module's
/// file, kept where accesses are checked, to tell the lines of the source.
void expect_kernel(const ShimModule& module, unsigned dynamic_bytes, const std::string& image);

/// Says where shared memory lies that is not dynamic.
void know_shared(const void* memory, size_t bytes);

/// Whether an access of the thread that runs races with another in shared memory, and what is wrong then. `cell` counts
/// bytes from the beginning of all shared memory.
bool race(size_t cell, size_t bytes, bool is_write, const void* place, std::string& wrong);

}  // namespace shim
