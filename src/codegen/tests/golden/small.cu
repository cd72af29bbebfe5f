struct Params {
    Fault* fault;
    u8* scratch;
    u32* counters;
    const i64* in0;
    const i64* in1;
    i64* out0;
    u32 last;
    Divisor dim1;
    i32 step0_0;
    i32 step1_1;
    i32 step2_0;
    i32 step2_1;
};

extern "C" __global__ void __launch_bounds__(512) map_strided(const Params p) {
    u32 i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > p.last) return;
    u32 c0 = divide(i, p.dim1);
    u32 c1 = i - c0 * p.dim1.value;
    i32 o0 = (i32)c0 * p.step0_0 + (i32)c1;
    i32 o1 = (i32)c0 + (i32)c1 * p.step1_1;
    i32 o2 = (i32)c0 * p.step2_0 + (i32)c1 * p.step2_1;
    i64 x0 = p.in0[o0];
    i64 x1 = p.in1[o1];
    i64 v2 = mul(x0, x1);
    p.out0[o2] = v2;
}
