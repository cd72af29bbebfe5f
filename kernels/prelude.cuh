// What every kernel begins with: types, half precision, faults, division by launch constants.
// NVRTC has no headers, so everything that is needed stands here.

typedef signed char i8;
typedef unsigned char u8;
typedef short i16;
typedef unsigned short u16;
typedef int i32;
typedef unsigned int u32;
typedef long long i64;
typedef unsigned long long u64;
typedef float f32;
typedef double f64;

// Stored narrow types: bits only. Arithmetic on them is float32, rounded back after every operation.
struct f16 { u16 bits; };
struct bf16 { u16 bits; };
struct f8e4m3 { u8 bits; };
struct f8e5m2 { u8 bits; };

#define F32_INF __int_as_float(0x7f800000)
#define F32_NAN __int_as_float(0x7fc00000)
#define F64_INF __longlong_as_double(0x7ff0000000000000ll)
#define F64_NAN __longlong_as_double(0x7ff8000000000000ll)

#ifdef GENESIS_SHIM
// On the host the same conversions are the compiler's.
__device__ inline f32 to_f32(f16 h) {
    _Float16 x;
    __builtin_memcpy(&x, &h, 2);
    return (f32)x;
}
__device__ inline f16 f16_from(f32 value) {
    _Float16 x = (_Float16)value;
    f16 h;
    __builtin_memcpy(&h, &x, 2);
    return h;
}
__device__ inline f16 f16_from(f64 value) {
    _Float16 x = (_Float16)value;
    f16 h;
    __builtin_memcpy(&h, &x, 2);
    return h;
}
#else
__device__ inline f32 to_f32(f16 h) {
    f32 x;
    asm("cvt.f32.f16 %0, %1;" : "=f"(x) : "h"(h.bits));
    return x;
}
__device__ inline f16 f16_from(f32 value) {
    f16 h;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(h.bits) : "f"(value));
    return h;
}
__device__ inline f16 f16_from(f64 value) {
    f16 h;
    asm("cvt.rn.f16.f64 %0, %1;" : "=h"(h.bits) : "d"(value));
    return h;
}
#endif

__device__ inline f32 to_f32(bf16 h) { return __int_as_float((i32)((u32)h.bits << 16)); }

// What bfloat16 holds of a number: to nearest, ties to even; a NaN stays one. The number's upper bits.
__device__ inline u32 nearest_bf16(f32 value) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800 && !defined(GENESIS_SHIM)
    u32 both;
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(both) : "f"(value), "f"(0.0f));
    return both;
#else
    u32 bits = (u32)__float_as_int(value);
    bool is_nan = (bits & 0x7fffffffu) > 0x7f800000u;
    return (is_nan ? bits | 0x400000u : bits + 0x7fffu + ((bits >> 16) & 1u)) & 0xffff0000u;
#endif
}
__device__ inline bf16 bf16_from(f32 value) { return bf16{(u16)(nearest_bf16(value) >> 16)}; }
// Of a number that bfloat16 holds.
__device__ inline bf16 bf16_exact(f32 value) {
    return bf16{(u16)((u32)__float_as_int(value) >> 16)};
}

// Numbers of eight bits: FRACTION bits of fraction, a bias of the exponent, and the pattern that follows the
// largest number: infinity with two bits of fraction, NaN with three. The same as `dtype/float8.rs`.
template <u32 FRACTION>
struct Float8 {
    static const u32 SHIFT = 23u - FRACTION;
    static const u32 BIAS = (1u << (6u - FRACTION)) - 1u;
    static const u32 BEYOND = FRACTION == 2u ? 0x7cu : 0x7fu;
    static const u32 NOT_A_NUMBER = FRACTION == 2u ? 0x7eu : 0x7fu;

    __device__ static f32 widen(u8 bits) {
        u32 size = (bits & 0x7fu) << SHIFT;
        u32 number = (u32)__float_as_int(
            __int_as_float((i32)size) * __int_as_float((i32)((254u - BIAS) << 23)));
        u32 value = (bits & 0x7fu) >= BEYOND ? size | 0x7f800000u : number;
        return __int_as_float((i32)((u32)(bits & 0x80u) << 24 | value));
    }

    __device__ static u8 narrow(f32 value) {
        u32 bits = (u32)__float_as_int(value);
        u32 size = bits & 0x7fffffffu;
        u32 sign = bits >> 24 & 0x80u;
        if (size > 0x7f800000u) return (u8)(sign | NOT_A_NUMBER);
        if (size < (128u - BIAS) << 23) {
            // The sum's last bit is the format's last bit.
            u32 last = (151u - BIAS - FRACTION) << 23;
            f32 sum = __int_as_float((i32)size) + __int_as_float((i32)last);
            return (u8)(sign | ((u32)__float_as_int(sum) - last));
        }
        u32 rounded = (size + (1u << (SHIFT - 1u)) - 1u + (size >> SHIFT & 1u)) >> SHIFT;
        u32 number = rounded - ((127u - BIAS) << FRACTION);
        return (u8)(sign | (number < BEYOND ? number : BEYOND));
    }
};

__device__ inline f32 to_f32(f8e4m3 x) { return Float8<3>::widen(x.bits); }
__device__ inline f32 to_f32(f8e5m2 x) { return Float8<2>::widen(x.bits); }
__device__ inline f8e4m3 f8e4m3_from(f32 value) { return f8e4m3{Float8<3>::narrow(value)}; }
__device__ inline f8e5m2 f8e5m2_from(f32 value) { return f8e5m2{Float8<2>::narrow(value)}; }

// Where a launch writes the first thing that went wrong: the one at the least position, and there the
// one of the least instruction, so that the error does not depend on the order of threads. The host
// looks at `raised`, which lies in its own memory, and reads the rest only then.
struct Fault {
    u64 position;  // all ones: nothing happened
    i64 value;
    i64 extent;
    u32 instr;
    u32 operand;
    u32 kind;
    u32 lock;
    u32* raised;
};

#define FAULT_INDEX 1u
#define FAULT_DIVISION 2u
#define FAULT_EXPONENT 3u

__device__ __noinline__ void report(
    Fault* fault, u64 position, u32 kind, u32 instr, u32 operand, i64 value, i64 extent) {
    volatile u64* least = &fault->position;
    bool done = position > *least;
    while (!done) {
        if (atomicCAS(&fault->lock, 0u, 1u) == 0u) {
            u32 first = *(volatile u32*)&fault->instr;
            if (position < *least || (position == *least && instr < first)) {
                *least = position;
                fault->value = value;
                fault->extent = extent;
                fault->instr = instr;
                fault->operand = operand;
                fault->kind = kind;
                *(volatile u32*)fault->raised = 1u;
            }
            __threadfence_system();
            atomicExch(&fault->lock, 0u);
            done = true;
        }
    }
}

// Division of a 32-bit index by a number that the launch fixes: multiply and shift. The method is
// that of Granlund and Montgomery, "Division by Invariant Integers using Multiplication" (1994).
// Holds for numerators below 2^31.
struct Divisor {
    u32 value;
    u32 multiplier;
    u32 shift;
};

__device__ inline u32 divide(u32 numerator, Divisor by) {
    return (__umulhi(numerator, by.multiplier) + numerator) >> by.shift;
}
