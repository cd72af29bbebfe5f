// Checks of what a kernel does, compiled into it: alignment, bounds of arrays, division by zero, and
// under GENESIS_SHIM_SANITIZE=1 every access of memory.
#pragma once

#include "runtime.h"

namespace shim {

/// Says which kernel is about to run, so that its own memory is known.
void expect_kernel(const ShimModule& module, unsigned dynamic_bytes);

}  // namespace shim
