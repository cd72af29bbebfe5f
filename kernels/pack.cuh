// Neighbouring elements that a thread reads or writes in one instruction, for generated kernels,
// which take what they use (src/codegen/library.rs).

template <typename T, int N>
struct alignas(sizeof(T) * N) Pack {
    T at[N];
};

template <int N, typename T>
__device__ inline Pack<T, N> load(const T* from) { return *(const Pack<T, N>*)from; }

template <typename T, int N>
__device__ inline void store(T* to, Pack<T, N> pack) { *(Pack<T, N>*)to = pack; }

// The elements i, i + 1, … as far as they are in [begin, end); the others are zero.
template <int N, typename T>
__device__ inline Pack<T, N> load_part(const T* from, u32 i, u32 begin, u32 end) {
    if (i >= begin && i + N <= end) return *(const Pack<T, N>*)(from + i);
    Pack<T, N> pack = {};
    #pragma unroll
    for (u32 e = 0; e < N; e++) {
        if (i + e >= begin && i + e < end) pack.at[e] = from[i + e];
    }
    return pack;
}

template <typename T, int N>
__device__ inline void store_part(T* to, u32 i, u32 begin, u32 end, Pack<T, N> pack) {
    if (i >= begin && i + N <= end) {
        *(Pack<T, N>*)(to + i) = pack;
        return;
    }
    #pragma unroll
    for (u32 e = 0; e < N; e++) {
        if (i + e >= begin && i + e < end) to[i + e] = pack.at[e];
    }
}

// The number nearest to i in [begin, end).
__device__ inline u32 within(u32 i, u32 begin, u32 end) { return min(max(i, begin), end - 1); }
