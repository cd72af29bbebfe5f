struct Params {
    Fault* fault;
    u8* scratch;
    u32* counters;
    const f16* in0;
    const f16* in1;
    f16* out0;
    u32 last;
    Divisor dim1;
};

extern "C" __global__ void __launch_bounds__(512) map_strided(const Params p) {
    u32 first = (blockIdx.x * blockDim.x * 2 + threadIdx.x) * 8;
    u32 step = blockDim.x * 8;
    Pack<f16, 8> in0[2];
    Pack<f16, 8> in1[2];
    #pragma unroll
    for (u32 k = 0; k < 2; k++) {
        u32 i = min(first + k * step, p.last);
        u32 c0 = divide(i, p.dim1);
        u32 c1 = i - c0 * p.dim1.value;
        i32 o1 = (i32)c1;
        in0[k] = load<8>(p.in0 + i);
        in1[k] = load<8>(p.in1 + o1);
    }
    Pack<f16, 8> out0[2];
    #pragma unroll
    for (u32 k = 0; k < 2; k++) {
        #pragma unroll
        for (u32 e = 0; e < 8; e++) {
            f32 x0 = to_f32(in0[k].at[e]);
            f32 x1 = to_f32(in1[k].at[e]);
            f32 v2 = round_f16(x0 + x1);
            out0[k].at[e] = f16_from(v2);
        }
    }
    #pragma unroll
    for (u32 k = 0; k < 2; k++) {
        u32 i = first + k * step;
        if (i > p.last) break;
        store(p.out0 + i, out0[k]);
    }
}
