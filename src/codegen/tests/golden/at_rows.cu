struct Params {
    Fault* fault;
    u8* scratch;
    u32* counters;
    const f16* in0;
    const i64* in1;
    f32* out0;
    u32 last;
    Divisor dim1;
    i64 extent0_0;
    i64 stride0_0;
    u64 position;
};

extern "C" __global__ void __launch_bounds__(512) map_strided(const Params p) {
    u32 first = (blockIdx.x * blockDim.x * 2 + threadIdx.x) * 4;
    u32 step = blockDim.x * 4;
    i64 in1[2];
    #pragma unroll
    for (u32 k = 0; k < 2; k++) {
        u32 i = min(first + k * step, p.last);
        u32 c0 = divide(i, p.dim1);
        u32 c1 = i - c0 * p.dim1.value;
        i32 o1 = (i32)c0;
        in1[k] = p.in1[o1];
    }
    Pack<f16, 4> g1[2] = {};
    #pragma unroll
    for (u32 k = 0; k < 2; k++) {
        u32 i = min(first + k * step, p.last);
        u32 c0 = divide(i, p.dim1);
        u32 c1 = i - c0 * p.dim1.value;
        i32 o0 = (i32)c1;
        i64 x1 = in1[k];
        i64 i1_0 = from_start(x1, p.extent0_0);
        if (is_outside(i1_0, p.extent0_0)) {
            report(p.fault, p.position + i, FAULT_INDEX, 1, 0, x1, p.extent0_0);
        } else {
            g1[k] = load<4>(p.in0 + o0 + i1_0 * p.stride0_0);
        }
    }
    Pack<f32, 4> out0[2];
    #pragma unroll
    for (u32 k = 0; k < 2; k++) {
        #pragma unroll
        for (u32 e = 0; e < 4; e++) {
            f32 v2 = to_f32(g1[k].at[e]);
            out0[k].at[e] = v2;
        }
    }
    #pragma unroll
    for (u32 k = 0; k < 2; k++) {
        u32 i = first + k * step;
        if (i > p.last) break;
        store(p.out0 + i, out0[k]);
    }
}
