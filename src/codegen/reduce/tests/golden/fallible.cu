// 500 × 1 blocks of 64 threads.
struct Params {
    Fault* fault;
    u8* scratch;
    u32* counters;
    const i64* in0;
    const i64* in1;
    i64* out0;
    u32 rows;
    u32 row_len;
    i64 in0_r0;
    i64 extent0_0;
    i64 step0_0;
    i64 in1_r0;
    i64 out0_r0;
    u64 points;
};

extern "C" __global__ void __launch_bounds__(64) rows(const Params p) {
    u32 t = threadIdx.x % 32;
    u32 own = blockIdx.x * 2 + threadIdx.x / 32;
    bool is_live = own < p.rows;
    u32 row = is_live ? own : 0;
    u32 len = is_live ? p.row_len : 0;
    const i64* in0 = p.in0 + (i64)row * p.in0_r0;
    const i64* in1 = p.in1 + (i64)row * p.in1_r0;
    i64* out0 = p.out0 + (i64)row * p.out0_r0;

    // Pass 1 of 1: %3 = reduce sum %2.
    u64 acc3 = 0ull;
    for (u32 start = 0; start < len; start += 320) {
        Pack<i64, 2> loaded1[5];
        #pragma unroll
        for (u32 k = 0; k < 5; k++) {
            u32 e = start + (k * 32 + t) * 2;
            if (e < len) {
                loaded1[k] = load<2>(in1 + e);
            }
        }
        #pragma unroll
        for (u32 k = 0; k < 5; k++) {
            u32 e = start + (k * 32 + t) * 2;
            if (e < len) {
                #pragma unroll
                for (u32 j = 0; j < 2; j++) {
                    i64 x1 = loaded1[k].at[j];
                    i64 v1 = 0;
                    i64 i1_0 = from_start(x1, p.extent0_0);
                    if (is_outside(i1_0, p.extent0_0)) {
                        report(p.fault, (u64)row * p.points + (e + j), FAULT_INDEX, 1, 0, x1, p.extent0_0);
                    } else {
                        v1 = in0[i1_0 * p.step0_0];
                    }
                    if (x1 == 0) report(p.fault, (u64)row * p.points + (e + j), FAULT_DIVISION, 2, 0, 0, 0);
                    i64 v2 = floordiv(v1, x1);
                    acc3 += (u64)v2;
                }
            }
        }
    }
    acc3 = fold_lanes<Sum, 32>(acc3);
    i64 v3 = (i64)acc3;

    if (t == 0 && is_live) {
        *out0 = v3;
    }
}
