// What the kernels share that multiply matrices: how elements become what is summed, and back.
//
// -DELEMENT=i32     what is stored
// -DSUM=u32         what sums are kept in; integers wrap, so they are unsigned
// -DKIND=0          0 integers, 1 bool (a sum is "or", a product "and"), 2 floats

template <typename T>
struct Float {
    __device__ static SUM widen(T value) { return (SUM)value; }
    __device__ static T narrow(SUM sum) { return (T)sum; }
};
template <>
struct Float<f16> {
    __device__ static f32 widen(f16 value) { return to_f32(value); }
    __device__ static f16 narrow(f32 sum) { return f16_from(sum); }
};
template <>
struct Float<bf16> {
    __device__ static f32 widen(bf16 value) { return to_f32(value); }
    __device__ static bf16 narrow(f32 sum) { return bf16_from(sum); }
};

__device__ inline void multiply_add(SUM& sum, SUM a, SUM b) {
#if KIND == 0
    sum += a * b;
#elif KIND == 1
    sum |= a & b;
#else
    sum = sizeof(SUM) == 8 ? (SUM)fma((f64)a, (f64)b, (f64)sum) : (SUM)fmaf((f32)a, (f32)b, (f32)sum);
#endif
}
