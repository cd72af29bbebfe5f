// 1 × 528 blocks of 512 threads.
struct Params {
    Fault* fault;
    u8* scratch;
    u32* counters;
    const f32* in0;
    f32* out0;
    u32 rows;
    u32 row_len;
    u64 parts1;
    u64 result1;
    u64 parts4;
    u64 result4;
};

extern "C" __global__ void __launch_bounds__(512) rows_pass(const Params p) {
    u32 t = threadIdx.x;
    u32 row = blockIdx.x;
    u32 len = p.row_len;
    const f32* in0 = p.in0;
    f32* out0 = p.out0;
    f32 v1 = ((const f32*)(p.scratch + p.result1))[row];
    f32 v4 = ((const f32*)(p.scratch + p.result4))[row];

    // Pass 3 of 3: outputs.
    for (u32 start = blockIdx.y * 8192; start < len; start += gridDim.y * 8192) {
        Pack<f32, 4> loaded0[4];
        #pragma unroll
        for (u32 k = 0; k < 4; k++) {
            u32 e = start + (k * 512 + t) * 4;
            if (e < len) {
                loaded0[k] = load<4>(in0 + e);
            }
        }
        #pragma unroll
        for (u32 k = 0; k < 4; k++) {
            u32 e = start + (k * 512 + t) * 4;
            if (e < len) {
                Pack<f32, 4> out0_next;
                #pragma unroll
                for (u32 j = 0; j < 4; j++) {
                    f32 x0 = loaded0[k].at[j];
                    f32 v2 = x0 - v1;
                    f32 v3 = expf(v2);
                    f32 v5 = v3 / v4;
                    out0_next.at[j] = v5;
                }
                store(out0 + e, out0_next);
            }
        }
    }
}
