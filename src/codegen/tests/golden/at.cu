struct Params {
    Fault* fault;
    u8* scratch;
    u32* counters;
    const f16* in0;
    const i64* in1;
    f32* out0;
    u32 begin;
    u32 end;
    i64 extent0_0;
    i64 stride0_0;
    u64 position;
};

extern "C" __global__ void __launch_bounds__(512) map(const Params p) {
    u32 first = (blockIdx.x * blockDim.x * 2 + threadIdx.x) * 2;
    u32 step = blockDim.x * 2;
    Pack<i64, 2> in1[2];
    #pragma unroll
    for (u32 k = 0; k < 2; k++) {
        u32 i = first + k * step;
        in1[k] = load_part<2>(p.in1, i, p.begin, p.end);
    }
    Pack<f16, 2> g1[2] = {};
    #pragma unroll
    for (u32 k = 0; k < 2; k++) {
        u32 i = first + k * step;
        #pragma unroll
        for (u32 e = 0; e < 2; e++) {
            if (i + e < p.begin || i + e >= p.end) continue;
            i64 x1 = in1[k].at[e];
            i64 i1_0 = from_start(x1, p.extent0_0);
            if (is_outside(i1_0, p.extent0_0)) {
                report(p.fault, p.position + i + e, FAULT_INDEX, 1, 0, x1, p.extent0_0);
            } else {
                g1[k].at[e] = p.in0[i1_0 * p.stride0_0];
            }
        }
    }
    Pack<f32, 2> out0[2];
    #pragma unroll
    for (u32 k = 0; k < 2; k++) {
        #pragma unroll
        for (u32 e = 0; e < 2; e++) {
            f32 v2 = to_f32(g1[k].at[e]);
            out0[k].at[e] = v2;
        }
    }
    #pragma unroll
    for (u32 k = 0; k < 2; k++) {
        u32 i = first + k * step;
        store_part(p.out0, i, p.begin, p.end, out0[k]);
    }
}
