// 64 × 4 blocks of 512 threads.
struct Params {
    Fault* fault;
    u8* scratch;
    u32* counters;
    const f32* in0;
    f32* out0;
    u32 rows;
    u32 row_len;
    i32 in0_e0;
    u64 parts1;
};

extern "C" __global__ void __launch_bounds__(512) columns_pass(const Params p) {
    alignas(16) __shared__ u8 columns[16384];
    u32 t = threadIdx.x / 32;
    u32 own = (blockIdx.x * 32 + threadIdx.x % 32) * 4;
    bool is_live = own < p.rows;
    u32 row = is_live ? own : 0;
    u32 len = is_live ? p.row_len : 0;
    const f32* in0 = p.in0 + row;
    f32* out0 = p.out0 + row;

    // Pass 1 of 1: %1 = reduce sum %0.
    f64 acc1[4];
    #pragma unroll
    for (u32 j = 0; j < 4; j++) acc1[j] = 0.0;
    for (u32 start = blockIdx.y * 128; start < len; start += gridDim.y * 128) {
        Pack<f32, 4> loaded0[8];
        #pragma unroll
        for (u32 k = 0; k < 8; k++) {
            u32 e = start + k * 16 + t;
            if (e < len) {
                loaded0[k] = load<4>(in0 + (i32)e * p.in0_e0);
            }
        }
        f32 near1[4];
        #pragma unroll
        for (u32 j = 0; j < 4; j++) near1[j] = 0;
        #pragma unroll
        for (u32 k = 0; k < 8; k++) {
            u32 e = start + k * 16 + t;
            if (e < len) {
                #pragma unroll
                for (u32 j = 0; j < 4; j++) {
                    f32 x0 = loaded0[k].at[j];
                    near1[j] += x0;
                }
            }
        }
        #pragma unroll
        for (u32 j = 0; j < 4; j++) acc1[j] += near1[j];
    }
    fold_columns<Sum, 16, 32, 4>(acc1, (f64*)columns);
    f64* parts1 = (f64*)(p.scratch + p.parts1);
    if (t == 0 && is_live) {
        #pragma unroll
        for (u32 j = 0; j < 4; j++) parts1[(u64)blockIdx.y * p.rows + row + j] = acc1[j];
    }
    if (!is_last_block(p.counters + blockIdx.x, gridDim.y)) return;
    #pragma unroll
    for (u32 j = 0; j < 4; j++) acc1[j] = 0.0;
    if (is_live) {
        for (u32 s = t; s < gridDim.y; s += 16) {
            #pragma unroll
            for (u32 j = 0; j < 4; j++) acc1[j] = Sum::join(acc1[j], fresh(parts1 + (u64)s * p.rows + row + j));
        }
    }
    fold_columns<Sum, 16, 32, 4>(acc1, (f64*)columns);
    f32 r1[4];
    #pragma unroll
    for (u32 j = 0; j < 4; j++) r1[j] = (f32)acc1[j];

    if (t == 0 && is_live) {
        #pragma unroll
        for (u32 j = 0; j < 4; j++) {
            out0[(i32)j] = r1[j];
        }
    }
}
