// CUDA's mathematical functions by their CUDA names, over the C library, and the integer intrinsics.
#pragma once

// A function of the C library in both precisions, and C++'s overload for float.
#define SHIM_UNARY(name)               \
    extern "C" double name(double);    \
    extern "C" float name##f(float);   \
    inline float name(float x) { return name##f(x); }
#define SHIM_BINARY(name)                      \
    extern "C" double name(double, double);    \
    extern "C" float name##f(float, float);    \
    inline float name(float x, float y) { return name##f(x, y); }

SHIM_UNARY(sin)
SHIM_UNARY(cos)
SHIM_UNARY(tan)
SHIM_UNARY(asin)
SHIM_UNARY(acos)
SHIM_UNARY(atan)
SHIM_UNARY(sinh)
SHIM_UNARY(cosh)
SHIM_UNARY(tanh)
SHIM_UNARY(asinh)
SHIM_UNARY(acosh)
SHIM_UNARY(atanh)
SHIM_UNARY(exp)
SHIM_UNARY(exp2)
SHIM_UNARY(exp10)
SHIM_UNARY(expm1)
SHIM_UNARY(log)
SHIM_UNARY(log2)
SHIM_UNARY(log10)
SHIM_UNARY(log1p)
SHIM_UNARY(logb)
SHIM_UNARY(sqrt)
SHIM_UNARY(cbrt)
SHIM_UNARY(floor)
SHIM_UNARY(ceil)
SHIM_UNARY(trunc)
SHIM_UNARY(round)
SHIM_UNARY(rint)
SHIM_UNARY(nearbyint)
SHIM_UNARY(erf)
SHIM_UNARY(erfc)
SHIM_UNARY(tgamma)
SHIM_UNARY(lgamma)
SHIM_UNARY(fabs)
SHIM_UNARY(j0)
SHIM_UNARY(j1)
SHIM_UNARY(y0)
SHIM_UNARY(y1)
SHIM_BINARY(pow)
SHIM_BINARY(atan2)
SHIM_BINARY(fmod)
SHIM_BINARY(remainder)
SHIM_BINARY(hypot)
SHIM_BINARY(fmin)
SHIM_BINARY(fmax)
SHIM_BINARY(fdim)
SHIM_BINARY(copysign)
SHIM_BINARY(nextafter)
#undef SHIM_UNARY
#undef SHIM_BINARY

extern "C" {
double fma(double, double, double);
float fmaf(float, float, float);
double ldexp(double, int);
float ldexpf(float, int);
double scalbn(double, int);
float scalbnf(float, int);
double frexp(double, int*);
float frexpf(float, int*);
double modf(double, double*);
float modff(float, float*);
void sincos(double, double*, double*);
void sincosf(float, float*, float*);
int ilogb(double);
int ilogbf(float);
long lrint(double);
long lrintf(float);
long long llrint(double);
long long llrintf(float);
long lround(double);
long lroundf(float);
long long llround(double);
long long llroundf(float);
}
inline float fma(float x, float y, float z) { return fmaf(x, y, z); }
inline float ldexp(float x, int n) { return ldexpf(x, n); }
inline float scalbn(float x, int n) { return scalbnf(x, n); }
inline float frexp(float x, int* n) { return frexpf(x, n); }
inline float modf(float x, float* n) { return modff(x, n); }
inline void sincos(float x, float* s, float* c) { sincosf(x, s, c); }
inline int ilogb(float x) { return ilogbf(x); }
inline long long llrint(float x) { return llrintf(x); }
inline long long llround(float x) { return llroundf(x); }

// What the C library does not have. Arguments of the functions of half turns are reduced exactly.
inline double rsqrt(double x) { return 1 / sqrt(x); }
inline float rsqrtf(float x) { return float(1 / sqrt(double(x))); }
inline float rsqrt(float x) { return rsqrtf(x); }
inline double rcbrt(double x) { return 1 / cbrt(x); }
inline float rcbrtf(float x) { return float(1 / cbrt(double(x))); }
inline double sinpi(double x) { return sin(3.141592653589793 * remainder(x, 2)); }
inline double cospi(double x) { return cos(3.141592653589793 * remainder(x, 2)); }
inline float sinpif(float x) { return float(sinpi(double(x))); }
inline float cospif(float x) { return float(cospi(double(x))); }
inline void sincospi(double x, double* s, double* c) { *s = sinpi(x), *c = cospi(x); }
inline void sincospif(float x, float* s, float* c) { *s = sinpif(x), *c = cospif(x); }
inline double normcdf(double x) { return 0.5 * erfc(-x * 0.7071067811865476); }
inline float normcdff(float x) { return float(normcdf(double(x))); }
/// Newton's steps on erfc, from a start good to two digits.
inline double erfcinv(double y) {
    if (!(y > 0 && y < 2)) return y == 0 ? __builtin_inf() : y == 2 ? -__builtin_inf() : __builtin_nan("");
    const double w = log(y * (2 - y)), t = 4.330746750799873 + w / 2;
    double x = copysign(sqrt(sqrt(t * t - w / 0.147) - t), 1 - y);
    for (int step = 0; step < 4; ++step) {
        const double error = erfc(x) - y;
        const double slope = 1.1283791670955126 * exp(-x * x);
        x += error / (slope - x * error);
    }
    return x;
}
inline double erfinv(double y) { return erfcinv(1 - y); }
inline float erfinvf(float y) { return float(erfinv(double(y))); }
inline float erfcinvf(float y) { return float(erfcinv(double(y))); }
inline double normcdfinv(double y) { return -1.4142135623730951 * erfcinv(2 * y); }
inline float normcdfinvf(float y) { return float(normcdfinv(double(y))); }

inline bool isnan(float x) { return __builtin_isnan(x); }
inline bool isnan(double x) { return __builtin_isnan(x); }
inline bool isinf(float x) { return __builtin_isinf(x); }
inline bool isinf(double x) { return __builtin_isinf(x); }
inline bool isfinite(float x) { return __builtin_isfinite(x); }
inline bool isfinite(double x) { return __builtin_isfinite(x); }
inline bool signbit(float x) { return __builtin_signbit(x); }
inline bool signbit(double x) { return __builtin_signbit(x); }

extern "C" int abs(int);
extern "C" long labs(long);
extern "C" long long llabs(long long);
inline long abs(long x) { return labs(x); }
inline long long abs(long long x) { return llabs(x); }
inline float abs(float x) { return fabsf(x); }
inline double abs(double x) { return fabs(x); }

#define SHIM_EXTREMES(T)                                 \
    inline T min(T x, T y) { return y < x ? y : x; }     \
    inline T max(T x, T y) { return x < y ? y : x; }
SHIM_EXTREMES(int)
SHIM_EXTREMES(unsigned)
SHIM_EXTREMES(long)
SHIM_EXTREMES(unsigned long)
SHIM_EXTREMES(long long)
SHIM_EXTREMES(unsigned long long)
#undef SHIM_EXTREMES
#define SHIM_EXTREMES(A, B, C)                                \
    inline C min(A x, B y) { return min((C)x, (C)y); }        \
    inline C max(A x, B y) { return max((C)x, (C)y); }
inline float min(float x, float y) { return fminf(x, y); }
inline float max(float x, float y) { return fmaxf(x, y); }
inline double min(double x, double y) { return fmin(x, y); }
inline double max(double x, double y) { return fmax(x, y); }
SHIM_EXTREMES(int, unsigned, unsigned)
SHIM_EXTREMES(unsigned, int, unsigned)
SHIM_EXTREMES(long long, unsigned long long, unsigned long long)
SHIM_EXTREMES(unsigned long long, long long, unsigned long long)
SHIM_EXTREMES(float, double, double)
SHIM_EXTREMES(double, float, double)
#undef SHIM_EXTREMES
inline unsigned umin(unsigned x, unsigned y) { return min(x, y); }
inline unsigned umax(unsigned x, unsigned y) { return max(x, y); }
inline long long llmin(long long x, long long y) { return min(x, y); }
inline long long llmax(long long x, long long y) { return max(x, y); }
inline unsigned long long ullmin(unsigned long long x, unsigned long long y) { return min(x, y); }
inline unsigned long long ullmax(unsigned long long x, unsigned long long y) { return max(x, y); }

// ---- Intrinsics of one instruction; the approximate ones are exact here ----

inline float __expf(float x) { return expf(x); }
inline float __exp10f(float x) { return exp10f(x); }
inline float __logf(float x) { return logf(x); }
inline float __log2f(float x) { return log2f(x); }
inline float __log10f(float x) { return log10f(x); }
inline float __sinf(float x) { return sinf(x); }
inline float __cosf(float x) { return cosf(x); }
inline float __tanf(float x) { return tanf(x); }
inline float __tanhf(float x) { return tanhf(x); }
inline float __powf(float x, float y) { return powf(x, y); }
inline void __sincosf(float x, float* s, float* c) { sincosf(x, s, c); }
inline float __fdividef(float x, float y) { return x / y; }
inline float fdividef(float x, float y) { return x / y; }
inline float __saturatef(float x) { return x > 0 ? (x < 1 ? x : 1) : 0; }
inline float __fadd_rn(float x, float y) { return x + y; }
inline float __fsub_rn(float x, float y) { return x - y; }
inline float __fmul_rn(float x, float y) { return x * y; }
inline float __fdiv_rn(float x, float y) { return x / y; }
inline float __frcp_rn(float x) { return 1 / x; }
inline float __fsqrt_rn(float x) { return sqrtf(x); }
inline float __frsqrt_rn(float x) { return rsqrtf(x); }
inline float __fmaf_rn(float x, float y, float z) { return fmaf(x, y, z); }
inline double __dadd_rn(double x, double y) { return x + y; }
inline double __dsub_rn(double x, double y) { return x - y; }
inline double __dmul_rn(double x, double y) { return x * y; }
inline double __ddiv_rn(double x, double y) { return x / y; }
inline double __drcp_rn(double x) { return 1 / x; }
inline double __dsqrt_rn(double x) { return sqrt(x); }
inline double __fma_rn(double x, double y, double z) { return fma(x, y, z); }

#define SHIM_BITS(name, From, To)         \
    inline To name(From x) {              \
        To y;                             \
        __builtin_memcpy(&y, &x, sizeof y); \
        return y;                         \
    }
SHIM_BITS(__float_as_int, float, int)
SHIM_BITS(__float_as_uint, float, unsigned)
SHIM_BITS(__int_as_float, int, float)
SHIM_BITS(__uint_as_float, unsigned, float)
SHIM_BITS(__double_as_longlong, double, long long)
SHIM_BITS(__longlong_as_double, long long, double)
#undef SHIM_BITS
inline int __double2hiint(double x) { return int(__double_as_longlong(x) >> 32); }
inline int __double2loint(double x) { return int(__double_as_longlong(x)); }
inline double __hiloint2double(int high, int low) {
    return __longlong_as_double((long long)((unsigned long long)unsigned(high) << 32 | unsigned(low)));
}

/// Float to integer as the device does it: out of range gives the nearest value of the type.
template <typename To, typename From>
To shim_saturate(From x, To nan) {
    constexpr int bits = sizeof(To) * 8;
    constexpr bool is_signed = To(-1) < To(0);
    constexpr To low = is_signed ? To(1ull << (bits - 1)) : To(0);
    if (x != x) return nan;
    const From limit = scalbn(From(1), bits - (is_signed ? 1 : 0));
    if (x >= limit) return To(~low);
    if (x <= (is_signed ? -limit : From(0))) return low;
    return To(x);
}
#define SHIM_ROUNDINGS(name, From, To, nan)                                               \
    inline To name##_rn(From x) { return shim_saturate<To>(rint(x), (To)(nan)); }           \
    inline To name##_rz(From x) { return shim_saturate<To>(trunc(x), (To)(nan)); }          \
    inline To name##_rd(From x) { return shim_saturate<To>(floor(x), (To)(nan)); }          \
    inline To name##_ru(From x) { return shim_saturate<To>(ceil(x), (To)(nan)); }
SHIM_ROUNDINGS(__float2int, float, int, 0)
SHIM_ROUNDINGS(__float2uint, float, unsigned, 0)
SHIM_ROUNDINGS(__float2ll, float, long long, 1ull << 63)
SHIM_ROUNDINGS(__float2ull, float, unsigned long long, 1ull << 63)
SHIM_ROUNDINGS(__double2int, double, int, 1u << 31)
SHIM_ROUNDINGS(__double2uint, double, unsigned, 1u << 31)
SHIM_ROUNDINGS(__double2ll, double, long long, 1ull << 63)
SHIM_ROUNDINGS(__double2ull, double, unsigned long long, 1ull << 63)
#undef SHIM_ROUNDINGS
inline float __int2float_rn(int x) { return float(x); }
inline float __uint2float_rn(unsigned x) { return float(x); }
inline float __ll2float_rn(long long x) { return float(x); }
inline float __ull2float_rn(unsigned long long x) { return float(x); }
inline double __int2double_rn(int x) { return x; }
inline double __uint2double_rn(unsigned x) { return x; }
inline double __ll2double_rn(long long x) { return double(x); }
inline double __ull2double_rn(unsigned long long x) { return double(x); }
inline float __double2float_rn(double x) { return float(x); }

inline int __popc(unsigned x) { return __builtin_popcount(x); }
inline int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
inline int __clz(int x) { return x ? __builtin_clz(x) : 32; }
inline int __clzll(long long x) { return x ? __builtin_clzll(x) : 64; }
inline int __ffs(int x) { return __builtin_ffs(x); }
inline int __ffsll(long long x) { return __builtin_ffsll(x); }
inline unsigned long long __brevll(unsigned long long x) {
    unsigned long long y = 0;
    for (int bit = 0; bit < 64; ++bit) y |= (x >> bit & 1) << (63 - bit);
    return y;
}
inline unsigned __brev(unsigned x) { return unsigned(__brevll(x) >> 32); }
inline unsigned __byte_perm(unsigned x, unsigned y, unsigned selector) {
    const unsigned long long bytes = (unsigned long long)y << 32 | x;
    unsigned result = 0;
    for (int at = 0; at < 4; ++at) {
        const unsigned pick = selector >> (4 * at) & 15;
        unsigned byte = unsigned(bytes >> (8 * (pick & 7))) & 255;
        if (pick & 8) byte = byte & 128 ? 255 : 0;
        result |= byte << (8 * at);
    }
    return result;
}
inline int __mulhi(int x, int y) { return int((long long)x * y >> 32); }
inline unsigned __umulhi(unsigned x, unsigned y) {
    return unsigned((unsigned long long)x * y >> 32);
}
inline long long __mul64hi(long long x, long long y) {
    return (long long)((__int128)x * y >> 64);
}
inline unsigned long long __umul64hi(unsigned long long x, unsigned long long y) {
    return (unsigned long long)((unsigned __int128)x * y >> 64);
}
inline int __mul24(int x, int y) { return (x << 8 >> 8) * (y << 8 >> 8); }
inline unsigned __umul24(unsigned x, unsigned y) { return (x & 0xffffff) * (y & 0xffffff); }
inline unsigned __sad(int x, int y, unsigned z) { return z + unsigned(x < y ? y - x : x - y); }
inline unsigned __usad(unsigned x, unsigned y, unsigned z) { return z + (x < y ? y - x : x - y); }
inline unsigned __funnelshift_l(unsigned low, unsigned high, unsigned shift) {
    return unsigned(((unsigned long long)high << 32 | low) << (shift & 31) >> 32);
}
inline unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift) {
    return unsigned(((unsigned long long)high << 32 | low) >> (shift & 31));
}

// ---- Half precision, for kernels that convert with PTX on the device ----

inline float shim_half_to_float(unsigned short bits) {
    _Float16 half;
    __builtin_memcpy(&half, &bits, 2);
    return float(half);
}
inline unsigned short shim_float_to_half(float value) {
    const _Float16 half = _Float16(value);
    unsigned short bits;
    __builtin_memcpy(&bits, &half, 2);
    return bits;
}
inline float shim_bfloat_to_float(unsigned short bits) { return __uint_as_float(unsigned(bits) << 16); }
inline unsigned short shim_float_to_bfloat(float value) {
    const unsigned bits = __float_as_uint(value);
    if (isnan(value)) return 0x7fff;
    return (unsigned short)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}
