// What the families share that cut their work in tiles: walks through strided axes, warp
// operations on structs, and words that one block writes while another waits for them.

#define WARP 32u
#define ALL_LANES 0xffffffffu

// How many operands a walk reaches, through how many axes, and whether its points need 64 bits.
#ifndef OPERANDS
#define OPERANDS 1
#endif
#ifndef RANK
#define RANK 1
#endif
#ifndef WIDE
#define WIDE 0
#endif

// One axis of a walk. `multiplier` and `shift` divide by the extent as in `Divisor`.
struct Axis {
    u64 extent;
    u32 multiplier;
    u32 shift;
    i64 strides[OPERANDS];
};

struct Axes {
    Axis at[RANK];
};

// Takes the coordinate along `axis` from a row-major number; what is left counts the outer axes.
__device__ inline u64 take_coordinate(u64& point, const Axis& axis) {
#if WIDE
    u64 outer = point / axis.extent;
    u64 coordinate = point - outer * axis.extent;
#else
    Divisor by = {(u32)axis.extent, axis.multiplier, axis.shift};
    u32 outer = divide((u32)point, by);
    u32 coordinate = (u32)point - outer * by.value;
#endif
    point = outer;
    return coordinate;
}

// Adds to `offsets` where the point of that row-major number lies in each operand.
__device__ inline void locate(u64 point, const Axes& axes, i64* offsets) {
#pragma unroll
    for (int axis = RANK - 1; axis >= 0; axis--) {
        // The outermost coordinate is what the others leave.
        i64 at = axis == 0 ? (i64)point : (i64)take_coordinate(point, axes.at[axis]);
#pragma unroll
        for (int operand = 0; operand < OPERANDS; operand++) {
            offsets[operand] += at * axes.at[axis].strides[operand];
        }
    }
}

// What one instruction moves.
template <int BYTES>
struct Unit;
template <>
struct Unit<1> { typedef u8 Type; };
template <>
struct Unit<2> { typedef u16 Type; };
template <>
struct Unit<4> { typedef u32 Type; };
template <>
struct Unit<8> { typedef u64 Type; };
template <>
struct Unit<16> { typedef uint4 Type; };

// `N` elements side by side, which are read and written by one instruction: 16 bytes at most.
template <class T, int N>
struct Pack {
    T at[N];

    typedef typename Unit<sizeof(T) * N>::Type Moved;
    union Both {
        Moved moved;
        T at[N];
        __device__ Both() {}
    };
    __device__ static Pack load(const T* from) {
        Both both;
        both.moved = *(const Moved*)from;
        Pack pack;
#pragma unroll
        for (int i = 0; i < N; i++) {
            pack.at[i] = both.at[i];
        }
        return pack;
    }
    __device__ void store(T* to) const { __stwb((Moved*)to, moved()); }
    // To memory that the block shares.
    __device__ void store_shared(T* to) const { *(Moved*)to = moved(); }
    __device__ Moved moved() const {
        Both both;
#pragma unroll
        for (int i = 0; i < N; i++) {
            both.at[i] = at[i];
        }
        return both.moved;
    }
};

// A struct as the 32-bit words that shuffles move.
template <class A>
union Words {
    A whole;
    u32 at[sizeof(A) / 4];
    __device__ Words() {}
};

template <class A>
__device__ inline A shuffle_up(A value, u32 delta, u32 width) {
    Words<A> from, to;
    from.whole = value;
#pragma unroll
    for (u32 i = 0; i < sizeof(A) / 4; i++) {
        to.at[i] = __shfl_up_sync(ALL_LANES, from.at[i], delta, width);
    }
    return to.whole;
}

template <class A>
__device__ inline A shuffle_down(A value, u32 delta, u32 width) {
    Words<A> from, to;
    from.whole = value;
#pragma unroll
    for (u32 i = 0; i < sizeof(A) / 4; i++) {
        to.at[i] = __shfl_down_sync(ALL_LANES, from.at[i], delta, width);
    }
    return to.whole;
}

template <class A>
__device__ inline A shuffle(A value, u32 lane, u32 width) {
    Words<A> from, to;
    from.whole = value;
#pragma unroll
    for (u32 i = 0; i < sizeof(A) / 4; i++) {
        to.at[i] = __shfl_sync(ALL_LANES, from.at[i], lane, width);
    }
    return to.whole;
}

// Loads that see what another block released, with all it wrote before; and the releases.
#ifdef GENESIS_SHIM
template <class W>
__device__ inline W load_acquire(const W* place) {
    return shim_poll(place);
}
template <class W>
__device__ inline void store_release(W* place, W value) {
    *(volatile W*)place = value;
}
#else
__device__ inline u32 load_acquire(const u32* place) {
    u32 value;
    asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(value) : "l"(place) : "memory");
    return value;
}
__device__ inline u64 load_acquire(const u64* place) {
    u64 value;
    asm volatile("ld.acquire.gpu.global.u64 %0, [%1];" : "=l"(value) : "l"(place) : "memory");
    return value;
}
__device__ inline void store_release(u32* place, u32 value) {
    asm volatile("st.release.gpu.global.u32 [%0], %1;" ::"l"(place), "r"(value) : "memory");
}
__device__ inline void store_release(u64* place, u64 value) {
    asm volatile("st.release.gpu.global.u64 [%0], %1;" ::"l"(place), "l"(value) : "memory");
}
#endif

// Copies from memory to what the block shares, through no register: each lane's since it last said `close_asked` are
// one group, and are there for it when `await_asked` says so. What has no such instruction is there at once.
#if defined(GENESIS_SHIM) || __CUDA_ARCH__ < 800
#define HAS_ASYNC_COPIES 0
#else
#define HAS_ASYNC_COPIES 1
#endif

template <int BYTES>
__device__ inline void copy_asked(void* to, const void* from) {
#if HAS_ASYNC_COPIES
    if (BYTES == 16) {
        asm volatile(
            "{ .reg .u64 p; cvta.to.shared.u64 p, %0; cp.async.cg.shared.global [p], [%1], 16; }" ::"l"(to), "l"(from)
            : "memory");
        return;
    }
    if (BYTES == 4 || BYTES == 8) {
        asm volatile(
            "{ .reg .u64 p; cvta.to.shared.u64 p, %0; cp.async.ca.shared.global [p], [%1], %2; }" ::"l"(to), "l"(from),
            "n"(BYTES == 4 || BYTES == 8 ? BYTES : 4)
            : "memory");
        return;
    }
#endif
    typedef typename Unit<BYTES>::Type Moved;
    *(Moved*)to = *(const Moved*)from;
}

__device__ inline void close_asked() {
#if HAS_ASYNC_COPIES
    asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}

// Waits for all but the last `LATER` groups.
template <int LATER>
__device__ inline void await_asked() {
#if HAS_ASYNC_COPIES
    asm volatile("cp.async.wait_group %0;" ::"n"(LATER) : "memory");
#endif
}
