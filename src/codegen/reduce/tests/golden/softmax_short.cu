// 32768 × 1 blocks of 256 threads.
struct Params {
    Fault* fault;
    u8* scratch;
    u32* counters;
    const f16* in0;
    f16* out0;
    u32 rows;
    u32 row_len;
    i64 in0_r0;
    i64 out0_r0;
};

extern "C" __global__ void __launch_bounds__(256) rows(const Params p) {
    u32 t = threadIdx.x % 8;
    u32 own = blockIdx.x * 32 + threadIdx.x / 8;
    bool is_live = own < p.rows;
    u32 row = is_live ? own : 0;
    u32 len = is_live ? p.row_len : 0;
    const f16* in0 = p.in0 + (i64)row * p.in0_r0;
    f16* out0 = p.out0 + (i64)row * p.out0_r0;

    // Pass 1 of 3: %1 = reduce max %0.
    f32 acc1 = (-F32_INF);
    u32 e = t * 8;
    Pack<f16, 8> loaded0;
    if (e < len) {
        loaded0 = load<8>(in0 + e);
    }
    if (e < len) {
        #pragma unroll
        for (u32 j = 0; j < 8; j++) {
            f32 x0 = to_f32(loaded0.at[j]);
            acc1 = Max::join(acc1, x0);
        }
    }
    acc1 = fold_lanes<Max, 8>(acc1);
    f32 v1 = round_f16(acc1);

    // Pass 2 of 3: %4 = reduce sum %3.
    f64 acc4 = 0.0;
    Pack<f32, 8> kept3;
    f32 near4 = 0;
    if (e < len) {
        #pragma unroll
        for (u32 j = 0; j < 8; j++) {
            f32 x0 = to_f32(loaded0.at[j]);
            f32 v2 = round_f16(x0 - v1);
            f32 v3 = round_f16(expf(v2));
            near4 += v3;
            kept3.at[j] = v3;
        }
    }
    acc4 += near4;
    acc4 = fold_lanes<Sum, 8>(acc4);
    f32 v4 = round_f16((f32)acc4);

    // Pass 3 of 3: outputs.
    if (e < len) {
        Pack<f16, 8> out0_next;
        #pragma unroll
        for (u32 j = 0; j < 8; j++) {
            f32 v3 = kept3.at[j];
            f32 v5 = round_f16(v3 / v4);
            out0_next.at[j] = f16_from(v5);
        }
        store(out0 + e, out0_next);
    }
}
