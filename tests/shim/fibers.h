// The runtime as the driver sees it: run a kernel over a grid.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "runtime.h"

namespace shim {

/// Runs a kernel to its end. Returns an error of the driver, 0 if there was none, and says in `why`
/// which thread met it. One call at a time.
int run(const ShimKernel& kernel, dim3 grid, dim3 size, unsigned dynamic_bytes, void** arguments,
        std::string& why);

/// Bytes of shared memory that the last kernel declared.
size_t declared_bytes();

bool is_running();

/// The stack of the thread that runs.
void current_stack(const char*& begin, size_t& bytes);

/// The thread that runs, and when: a number that grows with each block, one with each barrier of the block, and one that
/// grows with each warp operation that the thread took part in.
struct Moment {
    unsigned thread;
    uint32_t block, barrier, warp_operation;
};
Moment now();

/// Kernel, block and thread that run now.
std::string place();

}  // namespace shim
