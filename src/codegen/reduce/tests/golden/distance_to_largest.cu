// 1000 × 1 blocks of 128 threads.
struct Params {
    Fault* fault;
    u8* scratch;
    u32* counters;
    const f16* in0;
    const f16* in1;
    i64* out0;
    f16* out1;
    u32 rows;
    u32 row_len;
    i64 in0_r0;
    i64 in1_r0;
    i64 out0_r0;
    i64 out1_r0;
};

extern "C" __global__ void __launch_bounds__(128) rows(const Params p) {
    __shared__ Best<f32, u32> warps3[4];
    u32 t = threadIdx.x;
    u32 row = blockIdx.x;
    u32 len = p.row_len;
    const f16* in0 = p.in0 + (i64)row * p.in0_r0;
    const f16* in1 = p.in1 + (i64)row * p.in1_r0;
    i64* out0 = p.out0 + (i64)row * p.out0_r0;
    f16* out1 = p.out1 + (i64)row * p.out1_r0;

    // Pass 1 of 2: %3 = reduce argmax %2.
    Best<f32, u32> acc3 = {(-F32_INF), t * 2};
    Pack<f32, 2> kept2;
    u32 e = t * 2;
    Pack<f16, 2> loaded0;
    Pack<f16, 2> loaded1;
    if (e < len) {
        loaded0 = load<2>(in0 + e);
        loaded1 = load<2>(in1 + e);
    }
    if (e < len) {
        #pragma unroll
        for (u32 j = 0; j < 2; j++) {
            f32 x0 = to_f32(loaded0.at[j]);
            f32 x1 = to_f32(loaded1.at[j]);
            f32 v2 = round_f16(x0 + x1);
            ArgMax::take(acc3, v2, (e + j));
            kept2.at[j] = v2;
        }
    }
    acc3 = fold_lanes<ArgMax, 32>(acc3);
    if (t % 32 == 0) {
        warps3[t / 32] = acc3;
    }
    __syncthreads();
    acc3 = fold_warps<ArgMax, 4>(warps3);
    i64 v3 = (i64)acc3.at;

    // Pass 2 of 2: outputs.
    if (e < len) {
        Pack<i64, 2> out0_next;
        Pack<f16, 2> out1_next;
        #pragma unroll
        for (u32 j = 0; j < 2; j++) {
            f32 v2 = kept2.at[j];
            i64 v4 = (i64)(e + j);
            i64 v5 = sub(v3, v4);
            out0_next.at[j] = v5;
            out1_next.at[j] = f16_from(v2);
        }
        store(out0 + e, out0_next);
        store(out1 + e, out1_next);
    }
}
