// A pretended libcublas: matrix products as plain loops, in the order of the driver's streams. The
// sum of a product is taken from the first to the last term.

#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <vector>

int shim_submit(void* stream, std::function<int()> work);

namespace {

enum Status { SUCCESS = 0, NOT_INITIALIZED = 1, INVALID_VALUE = 7, EXECUTION_FAILED = 13, NOT_SUPPORTED = 15 };
enum Type { F32 = 0, F64 = 1, F16 = 2, BF16 = 14 };

struct Handle {
    void* stream = nullptr;
    int math = 0, pointers = 0, atomics = 0;
};

using Bfloat = struct { uint16_t bits; };

float widen(Bfloat x) {
    const uint32_t bits = uint32_t(x.bits) << 16;
    float y;
    return memcpy(&y, &bits, 4), y;
}
template <typename T>
T widen(T x) {
    return x;
}
template <typename T, typename A>
T narrow(A x) {
    if constexpr (std::is_same_v<T, Bfloat>) {
        const float value = float(x);
        uint32_t bits;
        memcpy(&bits, &value, 4);
        if (value != value) return {0x7fff};
        return {uint16_t((bits + 0x7fff + (bits >> 16 & 1)) >> 16)};
    } else {
        return T(x);
    }
}

size_t size_of(int type) { return type == F64 ? 8 : type == F32 ? 4 : 2; }
bool is_known(int type) { return type == F32 || type == F64 || type == F16 || type == BF16; }

template <typename Do>
void with_type(int type, Do work) {
    switch (type) {
        case F32: return work(float{});
        case F64: return work(double{});
        case F16: return work(_Float16{});
        default: return work(Bfloat{});
    }
}

struct Operand {
    const void* data;
    int type;
    int64_t leading, stride;
    bool is_transposed;
};

struct Gemm {
    int64_t m, n, k, batches;
    Operand a, b;
    void* c;
    int c_type;
    int64_t c_leading, c_stride;
    int compute;
    const void *alpha, *beta;
    bool are_scalars_on_device, are_pointers;
    char alpha_bytes[8], beta_bytes[8];
};

/// An operand without transposition, column after column, in the type of the sum.
template <typename A>
std::vector<A> packed(const Operand& operand, const void* data, int64_t rows, int64_t columns) {
    std::vector<A> out(rows * columns);
    with_type(operand.type, [&](auto kind) {
        const auto* from = static_cast<const decltype(kind)*>(data);
        for (int64_t column = 0; column < columns; ++column) {
            for (int64_t row = 0; row < rows; ++row) {
                const int64_t at = operand.is_transposed ? column + row * operand.leading
                                                         : row + column * operand.leading;
                out[row + column * rows] = A(widen(from[at]));
            }
        }
    });
    return out;
}

const void* item(const void* data, int64_t at, int64_t stride, int type, bool is_table) {
    if (is_table) return static_cast<const void* const*>(data)[at];
    return static_cast<const char*>(data) + at * stride * int64_t(size_of(type));
}

template <typename A>
void multiply(const Gemm& g) {
    A alpha, beta;
    memcpy(&alpha, g.are_scalars_on_device ? g.alpha : g.alpha_bytes, sizeof alpha);
    memcpy(&beta, g.are_scalars_on_device ? g.beta : g.beta_bytes, sizeof beta);
    std::vector<A> sums(g.m);
    for (int64_t batch = 0; batch < g.batches; ++batch) {
        const auto a = packed<A>(g.a, item(g.a.data, batch, g.a.stride, g.a.type, g.are_pointers), g.m, g.k);
        const auto b = packed<A>(g.b, item(g.b.data, batch, g.b.stride, g.b.type, g.are_pointers), g.k, g.n);
        void* c = const_cast<void*>(item(g.c, batch, g.c_stride, g.c_type, g.are_pointers));
        for (int64_t column = 0; column < g.n; ++column) {
            std::fill(sums.begin(), sums.end(), A(0));
            for (int64_t term = 0; term < g.k; ++term) {
                const A factor = b[term + column * g.k];
                const A* from = &a[term * g.m];
                for (int64_t row = 0; row < g.m; ++row) sums[row] += from[row] * factor;
            }
            with_type(g.c_type, [&](auto kind) {
                using T = decltype(kind);
                T* to = static_cast<T*>(c) + column * g.c_leading;
                for (int64_t row = 0; row < g.m; ++row) {
                    // beta of zero means that C is not read: it may hold anything.
                    const A old = beta == A(0) ? A(0) : beta * A(widen(to[row]));
                    to[row] = narrow<T>(alpha * sums[row] + old);
                }
            });
        }
    }
}

int submit(Handle* handle, Gemm g) {
    if (!handle) return NOT_INITIALIZED;
    if (g.m < 0 || g.n < 0 || g.k < 0 || g.batches < 0) return INVALID_VALUE;
    if (!is_known(g.a.type) || !is_known(g.b.type) || !is_known(g.c_type)) return NOT_SUPPORTED;
    const bool is_double = g.compute == 70 || g.compute == 71;
    const bool is_single = g.compute == 68 || g.compute == 69 || g.compute == 74 || g.compute == 75 ||
                           g.compute == 77 || g.compute == 78;
    if (!is_double && !is_single) return NOT_SUPPORTED;
    // The combinations that the real library takes, as far as these types go.
    if (is_double != (g.a.type == F64) || g.a.type != g.b.type) return NOT_SUPPORTED;
    if (g.c_type != g.a.type && !(is_single && g.c_type == F32)) return NOT_SUPPORTED;
    const auto least = [](int64_t rows) { return rows > 1 ? rows : 1; };
    if (g.a.leading < least(g.a.is_transposed ? g.k : g.m)) return INVALID_VALUE;
    if (g.b.leading < least(g.b.is_transposed ? g.n : g.k)) return INVALID_VALUE;
    if (g.c_leading < least(g.m)) return INVALID_VALUE;
    g.are_scalars_on_device = handle->pointers == 1;
    if (!g.are_scalars_on_device) {
        memcpy(g.alpha_bytes, g.alpha, is_double ? 8 : 4);
        memcpy(g.beta_bytes, g.beta, is_double ? 8 : 4);
    }
    const int code = shim_submit(handle->stream, [g, is_double] {
        is_double ? multiply<double>(g) : multiply<float>(g);
        return 0;
    });
    return code ? EXECUTION_FAILED : SUCCESS;
}

}  // namespace

#pragma GCC visibility push(default)
extern "C" {

int cublasCreate_v2(Handle** out) { return *out = new Handle, SUCCESS; }
int cublasDestroy_v2(Handle* handle) { return delete handle, SUCCESS; }
int cublasGetVersion_v2(Handle*, int* version) { return *version = 139900, SUCCESS; }
int cublasGetProperty(int kind, int* value) { return *value = kind == 0 ? 13 : kind == 1 ? 99 : 0, SUCCESS; }
int cublasSetStream_v2(Handle* handle, void* stream) { return handle->stream = stream, SUCCESS; }
int cublasGetStream_v2(Handle* handle, void** stream) { return *stream = handle->stream, SUCCESS; }
int cublasSetWorkspace_v2(Handle*, void*, size_t) { return SUCCESS; }
int cublasSetMathMode(Handle* handle, int mode) { return handle->math = mode, SUCCESS; }
int cublasGetMathMode(Handle* handle, int* mode) { return *mode = handle->math, SUCCESS; }
int cublasSetPointerMode_v2(Handle* handle, int mode) { return handle->pointers = mode, SUCCESS; }
int cublasGetPointerMode_v2(Handle* handle, int* mode) { return *mode = handle->pointers, SUCCESS; }
int cublasSetAtomicsMode(Handle* handle, int mode) { return handle->atomics = mode, SUCCESS; }
int cublasGetAtomicsMode(Handle* handle, int* mode) { return *mode = handle->atomics, SUCCESS; }
int cublasSetSmCountTarget(Handle*, int) { return SUCCESS; }

const char* cublasGetStatusName(int status) {
    switch (status) {
        case SUCCESS: return "CUBLAS_STATUS_SUCCESS";
        case NOT_INITIALIZED: return "CUBLAS_STATUS_NOT_INITIALIZED";
        case INVALID_VALUE: return "CUBLAS_STATUS_INVALID_VALUE";
        case EXECUTION_FAILED: return "CUBLAS_STATUS_EXECUTION_FAILED";
        case NOT_SUPPORTED: return "CUBLAS_STATUS_NOT_SUPPORTED";
        default: return "unknown status";
    }
}
const char* cublasGetStatusString(int status) { return cublasGetStatusName(status); }

// Each comes with sizes of 32 and of 64 bits.
#define GEMMS(suffix, Int)                                                                              \
    int cublasGemmStridedBatchedEx##suffix(                                                             \
        Handle* handle, int ta, int tb, Int m, Int n, Int k, const void* alpha, const void* a,          \
        int a_type, Int lda, long long a_stride, const void* b, int b_type, Int ldb,                    \
        long long b_stride, const void* beta, void* c, int c_type, Int ldc, long long c_stride,         \
        Int batches, int compute, int) {                                                                \
        return submit(handle, Gemm{m, n, k, batches, {a, a_type, lda, a_stride, ta != 0},               \
                                   {b, b_type, ldb, b_stride, tb != 0}, c, c_type, ldc, c_stride,       \
                                   compute, alpha, beta, false, false, {}, {}});                        \
    }                                                                                                   \
    int cublasGemmEx##suffix(Handle* handle, int ta, int tb, Int m, Int n, Int k, const void* alpha,    \
                             const void* a, int a_type, Int lda, const void* b, int b_type, Int ldb,    \
                             const void* beta, void* c, int c_type, Int ldc, int compute, int) {        \
        return submit(handle, Gemm{m, n, k, 1, {a, a_type, lda, 0, ta != 0},                            \
                                   {b, b_type, ldb, 0, tb != 0}, c, c_type, ldc, 0, compute, alpha,     \
                                   beta, false, false, {}, {}});                                        \
    }                                                                                                   \
    int cublasGemmBatchedEx##suffix(Handle* handle, int ta, int tb, Int m, Int n, Int k,                \
                                    const void* alpha, const void* const* a, int a_type, Int lda,       \
                                    const void* const* b, int b_type, Int ldb, const void* beta,        \
                                    void* const* c, int c_type, Int ldc, Int batches, int compute,      \
                                    int) {                                                              \
        return submit(handle, Gemm{m, n, k, batches, {a, a_type, lda, 0, ta != 0},                      \
                                   {b, b_type, ldb, 0, tb != 0}, const_cast<void**>(c), c_type, ldc, 0, \
                                   compute, alpha, beta, false, true, {}, {}});                         \
    }                                                                                                   \
    int cublasSgemm_v2##suffix(Handle* handle, int ta, int tb, Int m, Int n, Int k,                     \
                               const float* alpha, const float* a, Int lda, const float* b, Int ldb,    \
                               const float* beta, float* c, Int ldc) {                                  \
        return cublasGemmEx##suffix(handle, ta, tb, m, n, k, alpha, a, F32, lda, b, F32, ldb, beta, c,  \
                                    F32, ldc, 68, -1);                                                  \
    }                                                                                                   \
    int cublasDgemm_v2##suffix(Handle* handle, int ta, int tb, Int m, Int n, Int k,                     \
                               const double* alpha, const double* a, Int lda, const double* b,          \
                               Int ldb, const double* beta, double* c, Int ldc) {                       \
        return cublasGemmEx##suffix(handle, ta, tb, m, n, k, alpha, a, F64, lda, b, F64, ldb, beta, c,  \
                                    F64, ldc, 70, -1);                                                  \
    }
GEMMS(, int)
GEMMS(_64, int64_t)

// A triangle on the left, as it lies.
#define TRSM(LETTER, T)                                                                                 \
    int cublas##LETTER##trsm_v2(Handle* handle, int right, int upper, int turned, int unit, int n,      \
                                int sides, const T* alpha, const T* a, int lda, T* b, int ldb) {        \
        if (right != 0 || turned != 0 || *alpha != 1) return NOT_SUPPORTED;                             \
        return shim_submit(handle->stream, [=] {                                                        \
            for (int64_t side = 0; side < sides; ++side) {                                              \
                T* x = b + side * ldb;                                                                  \
                for (int step = 0; step < n; ++step) {                                                  \
                    const int row = upper ? n - 1 - step : step;                                        \
                    for (int k = upper ? row + 1 : 0; k < (upper ? n : row); ++k) {                     \
                        x[row] -= a[row + int64_t(k) * lda] * x[k];                                     \
                    }                                                                                   \
                    if (!unit) x[row] /= a[row + int64_t(row) * lda];                                   \
                }                                                                                       \
            }                                                                                           \
            return 0;                                                                                   \
        });                                                                                             \
    }
TRSM(S, float)
TRSM(D, double)
}
#pragma GCC visibility pop
