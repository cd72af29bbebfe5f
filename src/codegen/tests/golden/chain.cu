struct Params {
    Fault* fault;
    u8* scratch;
    u32* counters;
    const f32* in0;
    const f32* in1;
    f32* out0;
    u32 begin;
    u32 end;
};

extern "C" __global__ void __launch_bounds__(512) map(const Params p) {
    u32 first = (blockIdx.x * blockDim.x * 2 + threadIdx.x) * 4;
    u32 step = blockDim.x * 4;
    Pack<f32, 4> in0[2];
    Pack<f32, 4> in1[2];
    #pragma unroll
    for (u32 k = 0; k < 2; k++) {
        u32 i = first + k * step;
        in0[k] = load_part<4>(p.in0, i, p.begin, p.end);
        in1[k] = load_part<4>(p.in1, i, p.begin, p.end);
    }
    Pack<f32, 4> out0[2];
    #pragma unroll
    for (u32 k = 0; k < 2; k++) {
        #pragma unroll
        for (u32 e = 0; e < 4; e++) {
            f32 x0 = in0[k].at[e];
            f32 x1 = in1[k].at[e];
            f32 v5 = x0 * 2.0f;
            f32 v6 = v5 + 1.0f;
            f32 v7 = expf(v6);
            f32 v8 = v7 * x1;
            f32 v9 = x0 / 3.0f;
            f32 v10 = v8 - v9;
            out0[k].at[e] = v10;
        }
    }
    #pragma unroll
    for (u32 k = 0; k < 2; k++) {
        u32 i = first + k * step;
        store_part(p.out0, i, p.begin, p.end, out0[k]);
    }
}
