// CUDA's vector types, with the alignment that the device's vector loads ask for.
#pragma once

#define SHIM_VECTORS(name, T, align2, align4)                                                     \
    struct name##1 {                                                                              \
        T x;                                                                                      \
    };                                                                                            \
    struct alignas(align2) name##2 {                                                              \
        T x, y;                                                                                   \
    };                                                                                            \
    struct name##3 {                                                                              \
        T x, y, z;                                                                                \
    };                                                                                            \
    struct alignas(align4) name##4 {                                                              \
        T x, y, z, w;                                                                             \
    };                                                                                            \
    inline constexpr name##1 make_##name##1(T x) { return {x}; }                                  \
    inline constexpr name##2 make_##name##2(T x, T y) { return {x, y}; }                          \
    inline constexpr name##3 make_##name##3(T x, T y, T z) { return {x, y, z}; }                  \
    inline constexpr name##4 make_##name##4(T x, T y, T z, T w) { return {x, y, z, w}; }

SHIM_VECTORS(char, signed char, 2, 4)
SHIM_VECTORS(uchar, unsigned char, 2, 4)
SHIM_VECTORS(short, short, 4, 8)
SHIM_VECTORS(ushort, unsigned short, 4, 8)
SHIM_VECTORS(int, int, 8, 16)
SHIM_VECTORS(uint, unsigned int, 8, 16)
SHIM_VECTORS(long, long, 16, 16)
SHIM_VECTORS(ulong, unsigned long, 16, 16)
SHIM_VECTORS(longlong, long long, 16, 16)
SHIM_VECTORS(ulonglong, unsigned long long, 16, 16)
SHIM_VECTORS(float, float, 8, 16)
SHIM_VECTORS(double, double, 16, 16)
#undef SHIM_VECTORS
