// How the threads of a block join their parts of a reduction. Every tree has a fixed shape, so a
// result depends on the shape of the data and on nothing else. A generated kernel takes the
// paragraphs that it uses (src/codegen/library.rs).

struct Sum {
    template <typename T>
    static __device__ inline T join(T a, T b) { return a + b; }
};

struct Prod {
    template <typename T>
    static __device__ inline T join(T a, T b) { return a * b; }
};

struct Any {
    static __device__ inline bool join(bool a, bool b) { return a | b; }
};

struct All {
    static __device__ inline bool join(bool a, bool b) { return a & b; }
};

// NaN if either is.
struct Max {
    template <typename T>
    static __device__ inline T join(T a, T b) { return b > a || b != b ? b : a; }
#if !defined(GENESIS_SHIM) && __CUDA_ARCH__ >= 800
    static __device__ inline f32 join(f32 a, f32 b) {
        f32 x;
        asm("max.NaN.f32 %0, %1, %2;" : "=f"(x) : "f"(a), "f"(b));
        return x;
    }
#endif
};

struct Min {
    template <typename T>
    static __device__ inline T join(T a, T b) { return b < a || b != b ? b : a; }
#if !defined(GENESIS_SHIM) && __CUDA_ARCH__ >= 800
    static __device__ inline f32 join(f32 a, f32 b) {
        f32 x;
        asm("min.NaN.f32 %0, %1, %2;" : "=f"(x) : "f"(a), "f"(b));
        return x;
    }
#endif
};

// The best value so far and where it stands in the row.
template <typename T, typename Index>
struct Best {
    T value;
    Index at;
};

// NaN is better than any number, and what comes first stays among equals.
template <bool LARGEST>
struct ArgBest {
    template <typename T>
    static __device__ inline bool beats(T a, T b) {
        return (LARGEST ? a > b : a < b) || (a != a && b == b);
    }
    template <typename T, typename Index>
    static __device__ inline void take(Best<T, Index>& best, T value, Index at) {
        if (beats(value, best.value)) {
            best.value = value;
            best.at = at;
        }
    }
    template <typename T, typename Index>
    static __device__ inline Best<T, Index> join(Best<T, Index> a, Best<T, Index> b) {
        bool is_later = a.at < b.at;
        return beats(b.value, a.value) || (!is_later && !beats(a.value, b.value)) ? b : a;
    }
};

struct ArgMax : ArgBest<true> {};

struct ArgMin : ArgBest<false> {};

template <typename T>
__device__ inline T from_lane(T x, u32 distance) {
    return __shfl_xor_sync(~0u, x, distance);
}
__device__ inline bool from_lane(bool x, u32 distance) {
    return __shfl_xor_sync(~0u, (u32)x, distance) != 0;
}
template <typename T, typename Index>
__device__ inline Best<T, Index> from_lane(Best<T, Index> x, u32 distance) {
    return {from_lane(x.value, distance), from_lane(x.at, distance)};
}

// Joins the values of THREADS neighbouring lanes of a warp; all of them get the result.
template <class Op, u32 THREADS, typename T>
__device__ inline T fold_lanes(T x) {
#pragma unroll
    for (u32 distance = THREADS / 2; distance > 0; distance /= 2) {
        x = Op::join(x, from_lane(x, distance));
    }
    return x;
}

// Joins what WARPS warps have left in shared memory; every lane gets the result.
template <class Op, u32 WARPS, typename T>
__device__ inline T fold_warps(const T* of_warp) {
    return fold_lanes<Op, WARPS>(of_warp[threadIdx.x % WARPS]);
}

// Where THREADS threads share each of COLUMNS × N rows and neighbours work on neighbouring rows:
// joins their values. `shared` has room for those of the whole block.
template <class Op, u32 THREADS, u32 COLUMNS, u32 N, typename T>
__device__ inline void fold_columns(T* x, T* shared) {
    const u32 block = THREADS * COLUMNS;
#pragma unroll
    for (u32 j = 0; j < N; j++) shared[j * block + threadIdx.x] = x[j];
#pragma unroll
    for (u32 half = THREADS / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half * COLUMNS) {
#pragma unroll
            for (u32 j = 0; j < N; j++) {
                T* own = shared + j * block + threadIdx.x;
                *own = Op::join(*own, own[half * COLUMNS]);
            }
        }
    }
    __syncthreads();
#pragma unroll
    for (u32 j = 0; j < N; j++) x[j] = shared[j * block + threadIdx.x % COLUMNS];
    __syncthreads();
}

// Whether this block is the last of `blocks` to come here, and so sees what all of them wrote.
// Leaves the counter zero.
__device__ inline bool is_last_block(u32* counter, u32 blocks) {
    // The fence of one thread stands for the writes that the barrier has made known to it.
    __syncthreads();
    bool is_last = false;
    if (threadIdx.x == 0) {
        __threadfence();
        is_last = atomicAdd(counter, 1u) == blocks - 1;
        if (is_last) *counter = 0;
        __threadfence();
    }
    return __syncthreads_or(is_last);
}

// What another block wrote, around the cache of this multiprocessor.
template <typename T>
__device__ inline T fresh(const T* place) { return __ldcg(place); }
__device__ inline bool fresh(const bool* place) { return __ldcg((const u8*)place) != 0; }
template <typename T, typename Index>
__device__ inline Best<T, Index> fresh(const Best<T, Index>* place) {
    return {fresh(&place->value), fresh(&place->at)};
}
