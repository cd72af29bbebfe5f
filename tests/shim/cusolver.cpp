// A pretended libcusolver: matrices by columns, taken apart by the plainest methods in the order of the
// driver's streams. It writes over its work area, and refuses one that is too small.

#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <vector>

#include "cusolver_general.h"

int shim_submit(void* stream, std::function<int()> work);

namespace {

enum Result { SUCCESS = 0, NOT_INITIALIZED = 1, INVALID_VALUE = 3 };

struct Handle {
    void* stream = nullptr;
};

constexpr int WORK = 16;

template <typename T>
void spoil(T* work, int size) {
    for (int i = 0; i < size; ++i) work[i] = T(NAN);
}

template <typename T>
int submit(Handle* handle, T* work, int size, std::function<void()> what) {
    if (!handle) return NOT_INITIALIZED;
    if (size < WORK) return INVALID_VALUE;
    return shim_submit(handle->stream, [=] {
        what();
        spoil(work, size);
        return 0;
    });
}

template <typename T>
void getrf(const Matrix<T>& a, int* exchanges, int* info) {
    *info = 0;
    for (int k = 0; k < a.rows && k < a.columns; ++k) {
        int best = k;
        for (int row = k; row < a.rows; ++row) {
            if (std::abs(a(row, k)) > std::abs(a(best, k))) best = row;
        }
        exchanges[k] = best + 1;
        if (a(best, k) == 0) {
            if (*info == 0) *info = k + 1;
            continue;
        }
        for (int column = 0; column < a.columns; ++column) std::swap(a(k, column), a(best, column));
        for (int row = k + 1; row < a.rows; ++row) {
            a(row, k) /= a(k, k);
            for (int column = k + 1; column < a.columns; ++column) a(row, column) -= a(row, k) * a(k, column);
        }
    }
}

/// The lower triangle, of a matrix or of the turned one.
template <typename T>
void potrf(bool upper, const Matrix<T>& whole, int* info) {
    const auto a = [&](int row, int column) -> T& { return upper ? whole(column, row) : whole(row, column); };
    *info = 0;
    for (int k = 0; k < whole.rows; ++k) {
        for (int row = k; row < whole.rows; ++row) {
            for (int j = 0; j < k; ++j) a(row, k) -= a(row, j) * a(k, j);
        }
        if (!(a(k, k) > 0)) {
            *info = k + 1;
            return;
        }
        a(k, k) = std::sqrt(a(k, k));
        for (int row = k + 1; row < whole.rows; ++row) a(row, k) /= a(k, k);
    }
}

template <typename T>
void geqrf(const Matrix<T>& a, T* taus) {
    for (int k = 0; k < a.rows && k < a.columns; ++k) {
        T below = 0;
        for (int row = k + 1; row < a.rows; ++row) below = std::hypot(below, a(row, k));
        taus[k] = 0;
        if (below == 0) continue;
        const T head = a(k, k), diagonal = -std::copysign(std::hypot(head, below), head);
        taus[k] = (diagonal - head) / diagonal;
        for (int row = k + 1; row < a.rows; ++row) a(row, k) /= head - diagonal;
        a(k, k) = diagonal;
        for (int column = k + 1; column < a.columns; ++column) {
            T product = a(k, column);
            for (int row = k + 1; row < a.rows; ++row) product += a(row, k) * a(row, column);
            a(k, column) -= taus[k] * product;
            for (int row = k + 1; row < a.rows; ++row) a(row, column) -= taus[k] * product * a(row, k);
        }
    }
}

template <typename T>
void orgqr(const Matrix<T>& a, int reflections, const T* taus) {
    std::vector<T> vectors(a.at, a.at + int64_t(a.step) * reflections);
    const auto v = [&](int row, int k) { return row == k ? T(1) : vectors[row + int64_t(k) * a.step]; };
    for (int column = 0; column < a.columns; ++column) {
        for (int row = 0; row < a.rows; ++row) a(row, column) = row == column;
        for (int k = reflections - 1; k >= 0; --k) {
            T product = 0;
            for (int row = k; row < a.rows; ++row) product += v(row, k) * a(row, column);
            for (int row = k; row < a.rows; ++row) a(row, column) -= taus[k] * product * v(row, k);
        }
    }
}

/// Rotations of pairs of columns until all are orthogonal: `a` becomes the vectors times their lengths.
void orthogonalise(const Matrix<double>& a, const Matrix<double>& v) {
    const int n = a.columns;
    bool is_still = false;
    for (int sweep = 0; sweep < 100 && !is_still; ++sweep) {
        is_still = true;
        for (int i = 0; i < n; ++i) {
            for (int j = i + 1; j < n; ++j) {
                double low = 0, high = 0, off = 0;
                for (int row = 0; row < a.rows; ++row) {
                    low += a(row, i) * a(row, i);
                    high += a(row, j) * a(row, j);
                    off += a(row, i) * a(row, j);
                }
                if (std::abs(off) <= 1e-15 * std::sqrt(low * high) || low < 1e-60 || high < 1e-60) continue;
                is_still = false;
                const double theta = (high - low) / (2 * off);
                const double tangent = std::copysign(1.0, theta) / (std::abs(theta) + std::hypot(theta, 1.0));
                const double cosine = 1 / std::hypot(tangent, 1.0), sine = cosine * tangent;
                for (const Matrix<double>& both : {a, v}) {
                    for (int row = 0; row < both.rows; ++row) {
                        const double x = both(row, i), y = both(row, j);
                        both(row, i) = cosine * x - sine * y;
                        both(row, j) = sine * x + cosine * y;
                    }
                }
            }
        }
    }
}

/// A column that is a unit vector and orthogonal to those before it.
void complete(const Matrix<double>& u, int column) {
    for (int first = 0; first < u.rows; ++first) {
        for (int row = 0; row < u.rows; ++row) u(row, column) = row == first;
        for (int pass = 0; pass < 2; ++pass) {
            for (int other = 0; other < column; ++other) {
                double product = 0;
                for (int row = 0; row < u.rows; ++row) product += u(row, other) * u(row, column);
                for (int row = 0; row < u.rows; ++row) u(row, column) -= product * u(row, other);
            }
        }
        double size = 0;
        for (int row = 0; row < u.rows; ++row) size = std::hypot(size, u(row, column));
        if (size < 0.1 / std::sqrt(double(u.rows))) continue;
        for (int row = 0; row < u.rows; ++row) u(row, column) /= size;
        return;
    }
}

std::vector<int> by_size(const std::vector<double>& values, bool falling) {
    std::vector<int> order(values.size());
    for (size_t i = 0; i < order.size(); ++i) {
        int place = 0;
        for (size_t j = 0; j < order.size(); ++j) {
            const bool before = falling ? values[j] > values[i] : values[j] < values[i];
            place += before || (values[j] == values[i] && j < i);
        }
        order[place] = int(i);
    }
    return order;
}

template <typename T>
void gesvd(const Matrix<T>& a, T* s, const Matrix<T>& u, const Matrix<T>& vt) {
    const int m = a.rows, n = a.columns;
    std::vector<double> data(int64_t(m) * m), turns(int64_t(n) * n);
    const Matrix<double> g{data.data(), m, n, m}, v{turns.data(), n, n, n}, all{data.data(), m, m, m};
    for (int column = 0; column < n; ++column) {
        for (int row = 0; row < m; ++row) g(row, column) = double(a(row, column));
        v(column, column) = 1;
    }
    orthogonalise(g, v);
    std::vector<double> sizes(n);
    for (int column = 0; column < n; ++column) {
        for (int row = 0; row < m; ++row) sizes[column] = std::hypot(sizes[column], g(row, column));
    }
    const std::vector<int> order = by_size(sizes, true);
    const std::vector<double> unsorted(data);
    for (int place = 0; place < n; ++place) {
        const int from = order[place];
        s[place] = T(sizes[from]);
        const bool is_null = sizes[from] <= 1e-14 * sizes[order[0]];
        for (int row = 0; row < m; ++row) {
            g(row, place) = is_null ? 0 : unsorted[row + int64_t(from) * m] / sizes[from];
        }
        if (is_null) complete(g, place);
        for (int row = 0; vt.at && row < n; ++row) vt(place, row) = T(v(row, from));
    }
    for (int column = n; column < u.columns; ++column) complete(all, column);
    for (int column = 0; u.at && column < u.columns; ++column) {
        for (int row = 0; row < m; ++row) u(row, column) = T(all(row, column));
    }
}

/// By singular values: what is added makes all eigenvalues positive.
template <typename T>
void syevd(bool vectors, bool upper, const Matrix<T>& a, T* w) {
    const int n = a.rows;
    std::vector<double> data(int64_t(n) * n), turns(int64_t(n) * n), values(n);
    const Matrix<double> g{data.data(), n, n, n}, v{turns.data(), n, n, n};
    double shift = 0;
    for (int column = 0; column < n; ++column) {
        double sum = 0;
        for (int row = 0; row < n; ++row) {
            const bool is_read = upper ? row <= column : column <= row;
            g(row, column) = double(is_read ? a(row, column) : a(column, row));
            sum += std::abs(g(row, column));
        }
        shift = std::max(shift, sum);
        v(column, column) = 1;
    }
    for (int k = 0; k < n; ++k) g(k, k) += 2 * shift;
    orthogonalise(g, v);
    for (int column = 0; column < n; ++column) {
        double size = 0;
        for (int row = 0; row < n; ++row) size = std::hypot(size, g(row, column));
        values[column] = size - 2 * shift;
    }
    const std::vector<int> order = by_size(values, false);
    for (int place = 0; place < n; ++place) {
        w[place] = T(values[order[place]]);
        for (int row = 0; vectors && row < n; ++row) a(row, place) = T(v(row, order[place]));
    }
    // As in the real one, vectors of equal eigenvalues are orthogonal to half of the digits only.
    const double eps = std::numeric_limits<T>::epsilon(), near = 8 * n * eps * shift;
    for (int place = n - 1; vectors && place > 0; --place) {
        if (std::abs(double(w[place]) - double(w[place - 1])) > near) continue;
        for (int row = 0; row < n; ++row) a(row, place) += T(std::sqrt(eps)) * a(row, place - 1);
    }
}

}  // namespace

#define EXPORT extern "C" __attribute__((visibility("default"))) int

EXPORT cusolverDnCreate(Handle** handle) {
    *handle = new Handle;
    return SUCCESS;
}
EXPORT cusolverDnDestroy(Handle* handle) {
    delete handle;
    return SUCCESS;
}
EXPORT cusolverDnSetStream(Handle* handle, void* stream) {
    handle->stream = stream;
    return SUCCESS;
}

EXPORT cusolverDnCreateGesvdjInfo(int** settings) {
    *settings = new int(0);
    return SUCCESS;
}
EXPORT cusolverDnDestroyGesvdjInfo(int* settings) {
    delete settings;
    return SUCCESS;
}

// Rotations come to no end where the first element is zero, so that somebody asks for the other method.
#define FUNCTIONS(LETTER, T)                                                                              \
    EXPORT cusolverDn##LETTER##getrf_bufferSize(Handle*, int, int, T*, int, int* size) {                  \
        *size = WORK;                                                                                     \
        return SUCCESS;                                                                                   \
    }                                                                                                     \
    EXPORT cusolverDn##LETTER##getrf(                                                                     \
        Handle* handle, int m, int n, T* a, int lda, T* work, int* exchanges, int* info) {                \
        return submit(handle, work, WORK, [=] { getrf(Matrix<T>{a, m, n, lda}, exchanges, info); });      \
    }                                                                                                     \
    EXPORT cusolverDn##LETTER##potrf_bufferSize(Handle*, int, int, T*, int, int* size) {                  \
        *size = WORK;                                                                                     \
        return SUCCESS;                                                                                   \
    }                                                                                                     \
    EXPORT cusolverDn##LETTER##potrf(                                                                     \
        Handle* handle, int upper, int n, T* a, int lda, T* work, int size, int* info) {                  \
        return submit(handle, work, size, [=] { potrf(upper != 0, Matrix<T>{a, n, n, lda}, info); });     \
    }                                                                                                     \
    EXPORT cusolverDn##LETTER##geqrf_bufferSize(Handle*, int, int, T*, int, int* size) {                  \
        *size = WORK;                                                                                     \
        return SUCCESS;                                                                                   \
    }                                                                                                     \
    EXPORT cusolverDn##LETTER##geqrf(                                                                     \
        Handle* handle, int m, int n, T* a, int lda, T* taus, T* work, int size, int* info) {             \
        return submit(handle, work, size, [=] {                                                           \
            geqrf(Matrix<T>{a, m, n, lda}, taus);                                                         \
            *info = 0;                                                                                    \
        });                                                                                               \
    }                                                                                                     \
    EXPORT cusolverDn##LETTER##orgqr_bufferSize(Handle*, int, int, int, T*, int, T*, int* size) {         \
        *size = WORK;                                                                                     \
        return SUCCESS;                                                                                   \
    }                                                                                                     \
    EXPORT cusolverDn##LETTER##orgqr(                                                                     \
        Handle* handle, int m, int n, int k, T* a, int lda, T* taus, T* work, int size, int* info) {      \
        if (n > m || k > n) return INVALID_VALUE;                                                         \
        return submit(handle, work, size, [=] {                                                           \
            orgqr(Matrix<T>{a, m, n, lda}, k, taus);                                                      \
            *info = 0;                                                                                    \
        });                                                                                               \
    }                                                                                                     \
    EXPORT cusolverDn##LETTER##syevd_bufferSize(Handle*, int, int, int, T*, int, T*, int* size) {         \
        *size = WORK;                                                                                     \
        return SUCCESS;                                                                                   \
    }                                                                                                     \
    EXPORT cusolverDn##LETTER##syevd(                                                                     \
        Handle* handle, int vectors, int upper, int n, T* a, int lda, T* w, T* work, int size,            \
        int* info) {                                                                                      \
        return submit(handle, work, size, [=] {                                                           \
            syevd(vectors != 0, upper != 0, Matrix<T>{a, n, n, lda}, w);                                  \
            *info = 0;                                                                                    \
        });                                                                                               \
    }                                                                                                     \
    EXPORT cusolverDn##LETTER##gesvd_bufferSize(Handle*, int m, int n, int* size) {                       \
        *size = WORK;                                                                                     \
        return m < n ? INVALID_VALUE : SUCCESS;                                                           \
    }                                                                                                     \
    EXPORT cusolverDn##LETTER##gesvd(                                                                     \
        Handle* handle, signed char of_u, signed char of_vt, int m, int n, T* a, int lda, T* s, T* u,     \
        int ldu, T* vt, int ldvt, T* work, int size, T*, int* info) {                                     \
        if (m < n || of_u != of_vt) return INVALID_VALUE;                                                 \
        const int wide = of_u == 'A' ? m : of_u == 'S' ? n : 0;                                           \
        return submit(handle, work, size, [=] {                                                           \
            gesvd(Matrix<T>{a, m, n, lda}, s, Matrix<T>{u, m, wide, ldu}, Matrix<T>{vt, n, n, ldvt});     \
            *info = 0;                                                                                    \
        });                                                                                               \
    }                                                                                                     \
    EXPORT cusolverDn##LETTER##gesvdj_bufferSize(                                                         \
        Handle*, int, int, int m, int n, T*, int, T*, T*, int, T*, int, int* size, int*) {                \
        *size = WORK;                                                                                     \
        return m < n ? INVALID_VALUE : SUCCESS;                                                           \
    }                                                                                                     \
    EXPORT cusolverDn##LETTER##gesvdj(                                                                    \
        Handle* handle, int vectors, int thin, int m, int n, T* a, int lda, T* s, T* u, int ldu, T* v,    \
        int ldv, T* work, int size, int* info, int*) {                                                    \
        if (m < n) return INVALID_VALUE;                                                                  \
        const int wide = !vectors ? 0 : thin ? n : m;                                                     \
        return submit(handle, work, size, [=] {                                                           \
            *info = a[0] == 0 ? n + 1 : 0;                                                                \
            if (*info) return;                                                                            \
            std::vector<T> rows(int64_t(n) * n);                                                          \
            gesvd(Matrix<T>{a, m, n, lda}, s, Matrix<T>{u, m, wide, ldu},                                 \
                  Matrix<T>{vectors ? rows.data() : nullptr, n, n, n});                                   \
            for (int i = 0; vectors && i < n; ++i) {                                                      \
                for (int j = 0; j < n; ++j) v[j + int64_t(i) * ldv] = rows[i + int64_t(j) * n];           \
            }                                                                                             \
        });                                                                                               \
    }

FUNCTIONS(S, float)
FUNCTIONS(D, double)

EXPORT cusolverDnCreateParams(int** params) {
    *params = new int(0);
    return SUCCESS;
}
EXPORT cusolverDnDestroyParams(int* params) {
    delete params;
    return SUCCESS;
}

// Real types alone, and no left vectors, as it is called.
EXPORT cusolverDnXgeev_bufferSize(
    Handle*, int*, int left, int, int64_t, int, void*, int64_t, int, void*, int, void*, int64_t, int, void*, int64_t,
    int kind, size_t* size, size_t* host_size) {
    if (left != 0 || kind > 1) return INVALID_VALUE;
    *size = WORK * 8;
    *host_size = WORK * 8;
    return SUCCESS;
}
EXPORT cusolverDnXgeev(
    Handle* handle, int*, int left, int right, int64_t n, int kind_a, void* a, int64_t lda, int kind_w, void* w, int,
    void*, int64_t, int kind_v, void* v, int64_t ldv, int kind, void* work, size_t size, void* host, size_t host_size,
    int* info) {
    if (left != 0 || kind > 1 || kind_a != kind || kind_w != kind || kind_v != kind) return INVALID_VALUE;
    if (host_size < WORK * 8 || !host) return INVALID_VALUE;
    const auto as = [&](auto zero) {
        using T = decltype(zero);
        return submit(handle, static_cast<T*>(work), int(size / sizeof(T)), [=] {
            const int side = int(n);
            T* vectors = right ? static_cast<T*>(v) : nullptr;
            geev(Matrix<T>{static_cast<T*>(a), side, side, int(lda)}, static_cast<T*>(w), Matrix<T>{vectors, side, side, int(ldv)});
            *info = 0;
        });
    };
    return kind == 0 ? as(0.0f) : as(0.0);
}
