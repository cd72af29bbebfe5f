// Complex numbers, by the formulas of src/ir/complex/arithmetic.rs.

template <typename T>
struct Complex { T re, im; };

__device__ inline f32 absolute(f32 x) { return fabsf(x); }
__device__ inline f64 absolute(f64 x) { return fabs(x); }

template <typename T>
__device__ inline Complex<T> operator+(Complex<T> a, Complex<T> b) {
    return {a.re + b.re, a.im + b.im};
}

template <typename T>
__device__ inline Complex<T> operator-(Complex<T> a, Complex<T> b) {
    return {a.re - b.re, a.im - b.im};
}

template <typename T>
__device__ inline Complex<T> operator*(Complex<T> a, Complex<T> b) {
    return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

template <typename T>
__device__ inline Complex<T> operator/(Complex<T> a, Complex<T> b) {
    T re = absolute(b.re), im = absolute(b.im);
    // By zero each part is divided for itself.
    if (b.re == 0 && b.im == 0) return {a.re / re, a.im / re};
    bool is_re = re >= im;
    T large = is_re ? b.re : b.im, small = is_re ? b.im : b.re;
    T first = is_re ? a.re : a.im, second = is_re ? a.im : a.re;
    T ratio = small / large;
    T scale = 1 / (large + small * ratio);
    T down = second * ratio, across = first * ratio;
    return {(first + down) * scale, (is_re ? second - across : across - second) * scale};
}
