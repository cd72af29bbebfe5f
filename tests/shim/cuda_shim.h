// CUDA C for g++: what NVRTC has built in, as far as kernels without headers use it. The compiled
// text calls into the runtime (runtime.h) where threads meet.
#pragma once

#include "runtime.h"

// What the driver looks up by name is visible, everything else stays inside the module.
#define __global__ __attribute__((visibility("default")))
#define __device__ __attribute__((visibility("default")))
#define __constant__ __attribute__((visibility("default")))
#define __managed__ __attribute__((visibility("default")))
#define __host__
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __align__(n) alignas(n)
#define __launch_bounds__(...)
#define __grid_constant__

/// For what must not count as an access of its own under GENESIS_SHIM_SANITIZE.
#define SHIM_UNCHECKED __attribute__((no_sanitize("kernel-address"))) inline

#ifdef SHIM_CHECKED
extern "C" void shim_check_atomic(const void* place, decltype(sizeof(0)) bytes);
#define SHIM_TOUCH(place) shim_check_atomic(place, sizeof *(place))
#else
#define SHIM_TOUCH(place)
#endif

#define threadIdx shim_state.thread
#define blockIdx shim_state.block
#define blockDim shim_state.block_size
#define gridDim shim_state.grid_size
#define warpSize 32

/// `extern __shared__ T name[]`, which the pretended NVRTC rewrites to this.
#define SHIM_DYNAMIC_SHARED(name, ...) \
    static auto& name = shim_as_array<__VA_ARGS__>(shim_dynamic)

/// Follows a declaration of `__shared__`, which the pretended NVRTC makes a static variable under another name: blocks
/// run one after the other, so they can use the same memory.
#define SHIM_SHARED(name)                                              \
    auto& name = shim_met(shim_own_##name);                            \
    {                                                                  \
        static unsigned shim_seen = 0;                                 \
        if (shim_seen != shim_state.block_number) {                    \
            shim_seen = shim_state.block_number;                       \
            shim_shared((void*)&name, sizeof name);                    \
        }                                                              \
    }

/// The same variable in a way that hides which one it is: accesses of a variable that the compiler knows, and at an index
/// that it knows, would not be checked.
template <typename T>
SHIM_UNCHECKED T& shim_met(T& own) {
    T* place = &own;
#ifdef SHIM_CHECKED
    asm("" : "+r"(place));
#endif
    return *place;
}

using size_t = decltype(sizeof(0));
using ptrdiff_t = decltype(static_cast<char*>(nullptr) - static_cast<char*>(nullptr));
using clock_t = long;

template <typename T>
auto shim_as_array(char (&bytes)[SHIM_SHARED_BYTES]) -> T (&)[SHIM_SHARED_BYTES / sizeof(T)] {
    return reinterpret_cast<T(&)[SHIM_SHARED_BYTES / sizeof(T)]>(bytes);
}

// ---- Kernels, for the driver ----

template <unsigned... I>
struct ShimSequence {};

template <auto F>
struct ShimThunk;

template <typename... A, void (*F)(A...)>
struct ShimThunk<F> {
    static constexpr unsigned sizes[] = {sizeof(A)..., 0};
    static constexpr unsigned count = sizeof...(A);
    template <unsigned... I>
    SHIM_UNCHECKED static void spread([[maybe_unused]] void** arguments, ShimSequence<I...>) {
        F(*static_cast<A*>(arguments[I])...);
    }
    static void call(void** arguments) {
        spread(arguments, ShimSequence<__integer_pack(sizeof...(A))...>{});
    }
};

constexpr unsigned shim_bound(unsigned threads = 1024, unsigned = 0, unsigned = 0) { return threads; }

#define SHIM_KERNEL(name, bounds, ...)                                              \
    ShimKernel {                                                                    \
        name, &ShimThunk<(__VA_ARGS__)>::call, ShimThunk<(__VA_ARGS__)>::sizes,     \
            ShimThunk<(__VA_ARGS__)>::count, shim_bound bounds                      \
    }

inline void shim_no_kernel() {}

extern "C" {
extern char __ehdr_start[] __attribute__((weak, visibility("hidden")));
extern char _end[] __attribute__((weak, visibility("hidden")));
}

/// The table that the driver finds in a module, which the pretended NVRTC writes below the source.
#define SHIM_MODULE(...)                                                                    \
    extern "C" const ShimModule shim_module __attribute__((visibility("default")));         \
    static const ShimKernel shim_kernels[] = {__VA_ARGS__ SHIM_KERNEL("", (), shim_no_kernel)}; \
    const ShimModule shim_module{SHIM_VERSION, shim_kernels,                                \
                                 sizeof shim_kernels / sizeof *shim_kernels - 1,            \
                                 __ehdr_start, _end};

// ---- Barriers and warps ----

inline void __syncthreads() { shim_barrier(false, nullptr); }
inline int __syncthreads_count(int predicate) { return shim_barrier(predicate, nullptr); }
inline int __syncthreads_or(int predicate) { return shim_barrier(predicate, nullptr) != 0; }
inline int __syncthreads_and(int predicate) {
    unsigned total;
    const unsigned votes = shim_barrier(predicate, &total);
    return votes == total;
}
inline void __syncwarp(unsigned mask = 0xffffffff) { shim_warp(SHIM_SYNC, mask, 0, 0); }

inline unsigned shim_thread_rank() {
    return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}
/// The lane of the thread in its warp, for kernels that read %laneid on the device.
inline unsigned shim_lane() { return shim_thread_rank() % 32; }

inline unsigned __activemask() { return shim_live_lanes(); }
inline unsigned __ballot_sync(unsigned mask, int predicate) {
    return shim_warp(SHIM_BALLOT, mask, predicate != 0, 0);
}
inline int __any_sync(unsigned mask, int predicate) { return __ballot_sync(mask, predicate) != 0; }
inline int __all_sync(unsigned mask, int predicate) { return __ballot_sync(mask, !predicate) == 0; }

template <typename T>
unsigned long long shim_bits(T value) {
    static_assert(sizeof(T) <= 8, "a warp operation moves at most eight bytes");
    unsigned long long bits = 0;
    __builtin_memcpy(&bits, &value, sizeof value);
    return bits;
}
template <typename T>
T shim_from_bits(unsigned long long bits) {
    T value;
    __builtin_memcpy(&value, &bits, sizeof value);
    return value;
}

template <typename T>
T shim_shuffle(unsigned mask, T value, unsigned source) {
    return shim_from_bits<T>(shim_warp(SHIM_SHUFFLE, mask, shim_bits(value), source));
}
template <typename T>
T __shfl_sync(unsigned mask, T value, int source, int width = 32) {
    const unsigned lane = shim_lane();
    return shim_shuffle(mask, value, (lane & ~(width - 1u)) | (source & (width - 1)));
}
template <typename T>
T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32) {
    const unsigned lane = shim_lane(), inside = lane & (width - 1);
    return shim_shuffle(mask, value, inside >= delta ? lane - delta : lane);
}
template <typename T>
T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32) {
    const unsigned lane = shim_lane(), inside = lane & (width - 1);
    return shim_shuffle(mask, value, inside + delta < unsigned(width) ? lane + delta : lane);
}
template <typename T>
T __shfl_xor_sync(unsigned mask, T value, int lane_mask, int width = 32) {
    const unsigned lane = shim_lane(), source = lane ^ lane_mask;
    // A source in a later segment gives the lane's own value; an earlier one can be read.
    const bool later = (source & ~(width - 1u)) > (lane & ~(width - 1u));
    return shim_shuffle(mask, value, later ? lane : source);
}
template <typename T>
unsigned __match_any_sync(unsigned mask, T value) {
    return shim_warp(SHIM_MATCH, mask, shim_bits(value), 0);
}
template <typename T>
unsigned __match_all_sync(unsigned mask, T value, int* predicate) {
    const unsigned same = __match_any_sync(mask, value);
    *predicate = same == (mask & shim_live_lanes());
    return *predicate ? mask : 0;
}

#define SHIM_REDUCE(name, type, op)                                   \
    inline type __reduce_##name##_sync(unsigned mask, type value) {   \
        return type(shim_warp(op, mask, (long long)value, 0));        \
    }
SHIM_REDUCE(add, unsigned, SHIM_ADD)
SHIM_REDUCE(add, int, SHIM_ADD)
SHIM_REDUCE(min, unsigned, SHIM_MIN_UNSIGNED)
SHIM_REDUCE(min, int, SHIM_MIN_SIGNED)
SHIM_REDUCE(max, unsigned, SHIM_MAX_UNSIGNED)
SHIM_REDUCE(max, int, SHIM_MAX_SIGNED)
SHIM_REDUCE(and, unsigned, SHIM_AND)
SHIM_REDUCE(or, unsigned, SHIM_OR)
SHIM_REDUCE(xor, unsigned, SHIM_XOR)
#undef SHIM_REDUCE

// ---- Memory ----

inline void __threadfence() { asm volatile("" ::: "memory"); }
inline void __threadfence_block() { asm volatile("" ::: "memory"); }
inline void __threadfence_system() { asm volatile("mfence" ::: "memory"); }
inline void __nanosleep(unsigned) { shim_yield(); }
[[noreturn]] inline void __trap() { shim_fail(719, "__trap"); }
inline void __brkpt() {}

/// A load of memory that another thread will write: what a kernel that polls uses in place of its
/// ld.acquire. It lets the rest of the block run.
template <typename T>
SHIM_UNCHECKED T shim_poll(const T* place) {
    const T value = *const_cast<const volatile T*>(place);
    shim_yield();
    return value;
}

#define SHIM_LOAD(name)                 \
    template <typename T>               \
    inline T name(const T* place) {     \
        return *place;                  \
    }
SHIM_LOAD(__ldg)
SHIM_LOAD(__ldca)
SHIM_LOAD(__ldcg)
SHIM_LOAD(__ldcs)
SHIM_LOAD(__ldlu)
SHIM_LOAD(__ldcv)
#undef SHIM_LOAD
#define SHIM_STORE(name)                            \
    template <typename T>                           \
    inline void name(T* place, decltype(T()) value) { \
        *place = value;                             \
    }
SHIM_STORE(__stwb)
SHIM_STORE(__stcg)
SHIM_STORE(__stcs)
SHIM_STORE(__stwt)
#undef SHIM_STORE

// Atomic operations race with nobody.
// One kernel runs at a time and its threads take turns, so an atomic operation needs no lock; the
// host may look at mapped memory meanwhile, which a plain aligned store serves.
#define SHIM_ATOMIC(name, expression)                          \
    template <typename T>                                      \
    SHIM_UNCHECKED T name(T* place, decltype(T()) value) {     \
        SHIM_TOUCH(place);                                     \
        volatile T* const at = place;                          \
        const T old = *at;                                     \
        *at = expression;                                      \
        return old;                                            \
    }                                                          \
    template <typename T>                                      \
    inline T name##_block(T* place, decltype(T()) value) {     \
        return name(place, value);                             \
    }                                                          \
    template <typename T>                                      \
    inline T name##_system(T* place, decltype(T()) value) {    \
        return name(place, value);                             \
    }
SHIM_ATOMIC(atomicAdd, old + value)
SHIM_ATOMIC(atomicSub, old - value)
SHIM_ATOMIC(atomicExch, value)
SHIM_ATOMIC(atomicMin, value < old ? value : old)
SHIM_ATOMIC(atomicMax, value > old ? value : old)
SHIM_ATOMIC(atomicAnd, old & value)
SHIM_ATOMIC(atomicOr, old | value)
SHIM_ATOMIC(atomicXor, old ^ value)
SHIM_ATOMIC(atomicInc, old >= value ? 0 : old + 1)
SHIM_ATOMIC(atomicDec, old == 0 || old > value ? value : old - 1)
#undef SHIM_ATOMIC

template <typename T>
SHIM_UNCHECKED T atomicCAS(T* place, decltype(T()) compare, decltype(T()) value) {
    SHIM_TOUCH(place);
    volatile T* const at = place;
    const T old = *at;
    if (old == compare) *at = value;
    return old;
}
template <typename T>
inline T atomicCAS_block(T* place, decltype(T()) compare, decltype(T()) value) {
    return atomicCAS(place, compare, value);
}
template <typename T>
inline T atomicCAS_system(T* place, decltype(T()) compare, decltype(T()) value) {
    return atomicCAS(place, compare, value);
}

inline size_t __cvta_generic_to_shared(const void* pointer) {
    return reinterpret_cast<size_t>(pointer);
}

inline long long clock64() {
#if defined(__x86_64__)
    return __builtin_ia32_rdtsc();
#else
    long long ticks;
    asm volatile("mrs %0, cntvct_el0" : "=r"(ticks));
    return ticks;
#endif
}
inline clock_t clock() { return clock64(); }

extern "C" int printf(const char*, ...);
#define assert(condition) ((condition) ? (void)0 : shim_fail(710, "assert(" #condition ")"))

#include "cuda_shim_math.h"
#include "cuda_shim_vectors.h"
