// Eigenvalues of general matrices for the pretended libcusolver.
#pragma once

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <vector>

namespace {

template <typename T>
struct Matrix {
    T* at;
    int rows, columns, step;
    T& operator()(int row, int column) const { return at[row + int64_t(column) * step]; }
};

/// A triangle t = qᴴ a q by rotations with Wilkinson's shift, for any matrix that is not large.
typedef std::complex<double> Complex;
void triangulate(int n, std::vector<Complex>& t, std::vector<Complex>& q) {
    const auto at = [&](std::vector<Complex>& m, int row, int column) -> Complex& { return m[row + int64_t(column) * n]; };
    /// Turns two rows, and the same columns, so that the second's element in `column` is zero.
    const auto turn = [&](int i, int j, Complex x, Complex y) {
        const double size = std::hypot(std::abs(x), std::abs(y));
        if (size == 0) return;
        const Complex c = x / size, s = y / size;
        for (int k = 0; k < n; ++k) {
            const Complex a = at(t, i, k), b = at(t, j, k);
            at(t, i, k) = std::conj(c) * a + std::conj(s) * b;
            at(t, j, k) = c * b - s * a;
        }
        for (std::vector<Complex>* m : {&t, &q}) {
            for (int k = 0; k < n; ++k) {
                const Complex a = at(*m, k, i), b = at(*m, k, j);
                at(*m, k, i) = a * c + b * s;
                at(*m, k, j) = b * std::conj(c) - a * std::conj(s);
            }
        }
    };
    for (int column = 0; column < n; ++column) {
        for (int row = n - 1; row > column + 1; --row) {
            turn(row - 1, row, at(t, row - 1, column), at(t, row, column));
            at(t, row, column) = 0;
        }
    }
    double whole = 0;
    for (const Complex& x : t) whole = std::hypot(whole, std::abs(x));
    for (int high = n - 1, tries = 0; high > 0;) {
        int low = high;
        while (low > 0) {
            double near = std::abs(at(t, low, low)) + std::abs(at(t, low - 1, low - 1));
            if (near == 0) near = whole;
            if (std::abs(at(t, low, low - 1)) <= 1e-16 * near) break;
            --low;
        }
        if (low > 0) at(t, low, low - 1) = 0;
        if (low == high) {
            --high;
            tries = 0;
            continue;
        }
        const Complex a = at(t, high - 1, high - 1), d = at(t, high, high);
        const Complex half = (a - d) / 2.0, product = at(t, high - 1, high) * at(t, high, high - 1);
        const Complex root = std::sqrt(half * half + product);
        const Complex far = std::abs(half + root) > std::abs(half - root) ? half + root : half - root;
        Complex shift = far == 0.0 ? d : d - product / far;
        if (++tries % 10 == 0) shift += std::abs(at(t, high, high - 1));
        turn(low, low + 1, at(t, low, low) - shift, at(t, low + 1, low));
        for (int row = low + 2; row <= high; ++row) {
            turn(row - 1, row, at(t, row - 1, row - 2), at(t, row, row - 2));
            at(t, row, row - 2) = 0;
        }
    }
}

/// Eigenvalues, the real parts and then the imaginary ones, and vectors as LAPACK has them.
template <typename T>
void geev(const Matrix<T>& a, T* w, const Matrix<T>& v) {
    const int n = a.rows;
    std::vector<Complex> t(int64_t(n) * n), q(int64_t(n) * n), x(n);
    for (int column = 0; column < n; ++column) {
        for (int row = 0; row < n; ++row) t[row + int64_t(column) * n] = double(a(row, column));
        q[column + int64_t(column) * n] = 1;
    }
    triangulate(n, t, q);
    double size = 0;
    for (const Complex& value : t) size = std::hypot(size, std::abs(value));
    std::vector<bool> is_done(n);
    int place = 0;
    for (int number = 0; number < n; ++number) {
        if (is_done[number]) continue;
        Complex value = t[number + int64_t(number) * n];
        int other = -1;
        for (int j = number + 1; j < n; ++j) {
            const auto off = [&](int k) { return std::abs(t[k + int64_t(k) * n] - std::conj(value)); };
            if (!is_done[j] && (other < 0 || off(j) < off(other))) other = j;
        }
        // Of a real matrix, what stands alone is real.
        const bool is_pair = other >= 0 && std::abs(value.imag()) > 1e-12 * size &&
            std::abs(t[other + int64_t(other) * n] - std::conj(value)) < std::abs(value.imag());
        if (!is_pair) value = value.real();
        int from = number;
        if (is_pair) {
            is_done[other] = true;
            if (value.imag() < 0) from = other, value = t[other + int64_t(other) * n];
        }
        // The triangle's vector, from its own place upwards.
        std::fill(x.begin(), x.end(), Complex(0));
        x[from] = 1;
        const Complex own = t[from + int64_t(from) * n];
        for (int row = from - 1; row >= 0; --row) {
            Complex sum = 0;
            for (int k = row + 1; k <= from; ++k) sum += t[row + int64_t(k) * n] * x[k];
            Complex by = t[row + int64_t(row) * n] - own;
            if (std::abs(by) < 1e-16 * size) by = 1e-16 * size;
            if (by == 0.0) by = 1;
            x[row] = -sum / by;
        }
        std::vector<Complex> whole(n);
        double length = 0;
        for (int row = 0; row < n; ++row) {
            for (int k = 0; k <= from; ++k) whole[row] += q[row + int64_t(k) * n] * x[k];
            length = std::hypot(length, std::abs(whole[row]));
        }
        int largest = 0;
        for (int row = 0; row < n; ++row) {
            if (std::abs(whole[row]) > std::abs(whole[largest])) largest = row;
        }
        Complex turn = std::conj(whole[largest]) / std::abs(whole[largest]) / length;
        if (!is_pair) {
            double real = 0;
            for (const Complex& x : whole) real = std::hypot(real, (x * turn).real());
            turn /= real;
        }
        w[place] = T(value.real());
        w[n + place] = T(is_pair ? value.imag() : 0);
        if (is_pair) w[place + 1] = T(value.real()), w[n + place + 1] = T(-value.imag());
        for (int row = 0; v.at && row < n; ++row) {
            v(row, place) = T((whole[row] * turn).real());
            if (is_pair) v(row, place + 1) = T((whole[row] * turn).imag());
        }
        place += is_pair ? 2 : 1;
    }
}

}  // namespace
