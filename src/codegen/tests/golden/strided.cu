struct Params {
    Fault* fault;
    u8* scratch;
    u32* counters;
    const f32* in0;
    f32* out0;
    u32 begin;
    u32 end;
    Divisor dim1;
    i32 step0_0;
    i32 step0_1;
};

extern "C" __global__ void __launch_bounds__(512) map_strided(const Params p) {
    u32 first = (blockIdx.x * blockDim.x * 2 + threadIdx.x) * 4;
    u32 step = blockDim.x * 4;
    Pack<f32, 4> in0[2];
    #pragma unroll
    for (u32 k = 0; k < 2; k++) {
        u32 i = first + k * step;
        #pragma unroll
        for (u32 e = 0; e < 4; e++) {
            u32 j = within(i + e, p.begin, p.end);
            u32 c0 = divide(j, p.dim1);
            u32 c1 = j - c0 * p.dim1.value;
            i32 o0 = (i32)c0 * p.step0_0 + (i32)c1 * p.step0_1;
            in0[k].at[e] = p.in0[o0];
        }
    }
    Pack<f32, 4> out0[2];
    #pragma unroll
    for (u32 k = 0; k < 2; k++) {
        #pragma unroll
        for (u32 e = 0; e < 4; e++) {
            f32 x0 = in0[k].at[e];
            out0[k].at[e] = x0;
        }
    }
    #pragma unroll
    for (u32 k = 0; k < 2; k++) {
        u32 i = first + k * step;
        store_part(p.out0, i, p.begin, p.end, out0[k]);
    }
}
