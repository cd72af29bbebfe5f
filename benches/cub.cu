// Times what CUB's algorithms take on the cases of cub.py: one line a case, its name and microseconds a call.
// Inputs lie ready and so does all temporary memory; where a result's length has to be known on the host, it is copied.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include <cub/cub.cuh>
#include <thrust/iterator/counting_iterator.h>

static void check(cudaError_t error) {
    if (error != cudaSuccess) {
        fprintf(stderr, "%s\n", cudaGetErrorString(error));
        exit(1);
    }
}

template <class T>
T* room(size_t n) {
    void* memory;
    check(cudaMalloc(&memory, n * sizeof(T)));
    return (T*)memory;
}

// SplitMix64 (Steele, Lea and Flood, 2014).
__device__ uint64_t drawn(uint64_t at) {
    uint64_t z = (at + 1) * 0x9e3779b97f4a7c15ull;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
}

// Integers below `bound`; floats of about the normal distribution, the sum of twelve uniform ones.
template <class T>
__global__ void fill(T* out, size_t n, uint64_t bound) {
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x) {
        if (bound > 0) {
            out[i] = (T)(drawn(i) % bound);
            continue;
        }
        double sum = -6;
        for (int part = 0; part < 12; part++) {
            sum += (double)(drawn(12 * i + part) >> 11) / 9007199254740992.0;
        }
        out[i] = (T)sum;
    }
}

template <class T>
T* input(size_t n, uint64_t bound) {
    T* made = room<T>(n);
    fill<<<1024, 256>>>(made, n, bound);
    check(cudaDeviceSynchronize());
    return made;
}

// The median over rounds of the host's clock around a series that ends in a synchronisation.
template <class Call>
void timed(const char* name, Call call) {
    const int rounds = 5, calls = 20;
    double times[rounds];
    for (int i = 0; i < 5; i++) {
        call();
    }
    for (int round = 0; round < rounds; round++) {
        check(cudaDeviceSynchronize());
        auto start = std::chrono::steady_clock::now();
        for (int i = 0; i < calls; i++) {
            call();
        }
        check(cudaDeviceSynchronize());
        std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - start;
        times[round] = took.count() / calls;
    }
    std::sort(times, times + rounds);
    printf("%s %.1f\n", name, times[rounds / 2]);
}

// Calls an algorithm of CUB, which is asked first for the temporary memory that it wants.
template <class Algorithm>
auto prepared(Algorithm algorithm) {
    size_t bytes = 0;
    check(algorithm(nullptr, bytes));
    void* memory = room<char>(bytes);
    return [=]() mutable { check(algorithm(memory, bytes)); };
}

struct IsAbove {
    float least;
    __device__ bool operator()(float x) const { return x > least; }
};

template <class T>
void scan(const char* name, size_t n, uint64_t bound) {
    T *x = input<T>(n, bound), *out = room<T>(n);
    timed(name, prepared([=](void* memory, size_t& bytes) {
              return cub::DeviceScan::InclusiveSum(memory, bytes, x, out, (int64_t)n);
          }));
    check(cudaFree(x));
    check(cudaFree(out));
}

int main() {
    const int64_t m16 = 16777216, m64 = 67108864;
    int64_t *count = room<int64_t>(1), counted;
    const auto known = [&] { check(cudaMemcpy(&counted, count, sizeof(counted), cudaMemcpyDeviceToHost)); };

    float *x = input<float>(m64, 0), *out = room<float>(m64);
    timed("sort_16M", prepared([=](void* memory, size_t& bytes) {
              return cub::DeviceRadixSort::SortKeys(memory, bytes, x, out, m16);
          }));
    int64_t *places = room<int64_t>(m64), *sorted = room<int64_t>(m16);
    uint32_t *from = input<uint32_t>(m16, m16), *to = room<uint32_t>(m16);
    timed("argsort_16M", prepared([=](void* memory, size_t& bytes) {
              return cub::DeviceRadixSort::SortPairs(memory, bytes, x, out, from, to, m16);
          }));
    auto select = prepared([=](void* memory, size_t& bytes) {
        return cub::DeviceSelect::If(memory, bytes, x, out, count, m64, IsAbove{0.5f});
    });
    timed("mask_select_64M", [&] { select(), known(); });
    bool* mask = (bool*)input<uint8_t>(m64, 2);
    auto nonzero = prepared([=](void* memory, size_t& bytes) {
        thrust::counting_iterator<int64_t> numbers(0);
        return cub::DeviceSelect::Flagged(memory, bytes, numbers, mask, places, count, m64);
    });
    timed("nonzero_64M", [&] { nonzero(), known(); });
    int64_t* numbers = input<int64_t>(m16, m64);
    auto sort = prepared([=](void* memory, size_t& bytes) {
        return cub::DeviceRadixSort::SortKeys(memory, bytes, numbers, sorted, m16);
    });
    auto unique = prepared([=](void* memory, size_t& bytes) {
        return cub::DeviceSelect::Unique(memory, bytes, sorted, places, count, m16);
    });
    timed("unique_16M_int", [&] { sort(), unique(), known(); });
    scan<float>("cumsum_64M", m64, 0);
    scan<float>("cumsum_4M", 4000000, 0);
    scan<double>("cumsum_30M_f64", 30000000, 0);
    scan<int64_t>("cumsum_16M_int", m16, 100);
    scan<int64_t>("cumsum_2M_int", 2300000, 100);
}
