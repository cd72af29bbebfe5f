// What a compiled kernel, the pretended driver and the pretended NVRTC share: the calls that a
// kernel makes into the runtime, and the table of kernels that a compiled module exports.
#pragma once

struct ShimIndex {
    unsigned x, y, z;
};

struct dim3 {
    unsigned x, y, z;
    constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
};

/// Where the thread that runs now is. Its fields are what a kernel calls threadIdx and so on.
struct ShimState {
    ShimIndex thread, block;
    dim3 block_size, grid_size;
    /// Counts the blocks that have run.
    unsigned block_number;
};

/// One `__global__` function of a module.
struct ShimKernel {
    const char* name;
    void (*call)(void** arguments);
    const unsigned* parameter_sizes;
    unsigned parameter_count;
    /// From `__launch_bounds__`, or 1024.
    unsigned max_threads;
};

/// What a module exports as `shim_module`.
struct ShimModule {
    unsigned version;
    const ShimKernel* kernels;
    unsigned kernel_count;
    char *image_begin, *image_end;
};

/// Changes with these structures, so that a module kept on disk by an older shim is refused.
constexpr unsigned SHIM_VERSION = 2;

enum ShimWarpOp : int {
    SHIM_SYNC,
    SHIM_SHUFFLE,
    SHIM_BALLOT,
    SHIM_MATCH,
    SHIM_ADD,
    SHIM_MIN_SIGNED,
    SHIM_MAX_SIGNED,
    SHIM_MIN_UNSIGNED,
    SHIM_MAX_UNSIGNED,
    SHIM_AND,
    SHIM_OR,
    SHIM_XOR,
};

/// The largest dynamic shared memory that a block may ask for (227 KiB, as on compute capability 9).
constexpr unsigned SHIM_SHARED_BYTES = 232448;

#pragma GCC visibility push(default)
extern "C" {
extern ShimState shim_state;
extern char shim_dynamic[SHIM_SHARED_BYTES];

/// A declaration of shared memory, met by the block for the first time.
void shim_shared(void* memory, unsigned bytes);
/// Waits for the block. Returns how many of its threads came with a predicate that is not zero, and
/// through `total` how many came.
unsigned shim_barrier(bool predicate, unsigned* total);
/// Waits for the lanes of `mask` that are still running, all at the same operation. The result is
/// the lane's own; `source` is the lane a shuffle reads.
unsigned long long shim_warp(int op, unsigned mask, unsigned long long value, unsigned source);
/// The lanes of the warp that have not returned.
unsigned shim_live_lanes();
/// Lets the other threads of the block run; for threads that poll memory.
void shim_yield();
/// Ends the kernel with an error of the driver.
[[noreturn]] void shim_fail(int error, const char* why);
}
#pragma GCC visibility pop
