struct Params {
    Fault* fault;
    u8* scratch;
    u32* counters;
    f64* out0;
    u32 begin;
    u32 end;
    i64 start0;
};

extern "C" __global__ void __launch_bounds__(512) map(const Params p) {
    u32 first = (blockIdx.x * blockDim.x * 2 + threadIdx.x) * 2;
    u32 step = blockDim.x * 2;
    Pack<f64, 2> out0[2];
    #pragma unroll
    for (u32 k = 0; k < 2; k++) {
        u32 i = first + k * step;
        #pragma unroll
        for (u32 e = 0; e < 2; e++) {
            i64 v0 = p.start0 + i + e;
            f64 v2 = (f64)v0;
            f64 v3 = v2 * 0.1;
            out0[k].at[e] = v3;
        }
    }
    #pragma unroll
    for (u32 k = 0; k < 2; k++) {
        u32 i = first + k * step;
        store_part(p.out0, i, p.begin, p.end, out0[k]);
    }
}
