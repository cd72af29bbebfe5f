// The runtime as the driver sees it: run a kernel over a grid.
#pragma once

#include <cstddef>
#include <string>

#include "runtime.h"

namespace shim {

/// Runs a kernel to its end. Returns an error of the driver, 0 if there was none, and says in `why`
/// which thread met it. One call at a time.
int run(const ShimKernel& kernel, dim3 grid, dim3 size, unsigned dynamic_bytes, void** arguments,
        char* static_shared, size_t static_bytes, std::string& why);

bool is_running();

/// The stack of the thread that runs.
void current_stack(const char*& begin, size_t& bytes);

/// Kernel, block and thread that run now.
std::string place();

}  // namespace shim
