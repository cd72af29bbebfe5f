// 9 × 58 blocks of 512 threads.
struct Params {
    Fault* fault;
    u8* scratch;
    u32* counters;
    const f32* in0;
    f32* out0;
    u32 rows;
    u32 row_len;
    i64 in0_r0;
    i64 out0_r0;
    u64 parts1;
};

extern "C" __global__ void __launch_bounds__(512) rows_pass(const Params p) {
    __shared__ f64 warps1[16];
    u32 t = threadIdx.x;
    u32 row = blockIdx.x;
    u32 len = p.row_len;
    const f32* in0 = p.in0 + (i64)row * p.in0_r0;
    f32* out0 = p.out0 + (i64)row * p.out0_r0;

    // Pass 1 of 1: %1 = reduce sum %0.
    f64 acc1 = 0.0;
    {
        u32 start = blockIdx.y * 8192;
        for (; start + 8192 <= len; start += gridDim.y * 8192) {
            Pack<f32, 4> loaded0[4];
            #pragma unroll
            for (u32 k = 0; k < 4; k++) {
                u32 e = start + (k * 512 + t) * 4;
                {
                    loaded0[k] = load<4>(in0 + e);
                }
            }
            f32 near1 = 0;
            #pragma unroll
            for (u32 k = 0; k < 4; k++) {
                u32 e = start + (k * 512 + t) * 4;
                {
                    #pragma unroll
                    for (u32 j = 0; j < 4; j++) {
                        f32 x0 = loaded0[k].at[j];
                        near1 += x0;
                    }
                }
            }
            acc1 += near1;
        }
        for (; start < len; start += gridDim.y * 8192) {
            Pack<f32, 4> loaded0[4];
            #pragma unroll
            for (u32 k = 0; k < 4; k++) {
                u32 e = start + (k * 512 + t) * 4;
                if (e < len) {
                    if (e + 4 <= len) {
                        loaded0[k] = load<4>(in0 + e);
                    } else {
                        #pragma unroll
                        for (u32 j = 0; j < 4; j++) {
                            if (e + j < len) {
                                loaded0[k].at[j] = in0[(e + j)];
                            }
                        }
                    }
                }
            }
            f32 near1 = 0;
            #pragma unroll
            for (u32 k = 0; k < 4; k++) {
                u32 e = start + (k * 512 + t) * 4;
                if (e < len) {
                    #pragma unroll
                    for (u32 j = 0; j < 4; j++) {
                        if (e + j < len) {
                            f32 x0 = loaded0[k].at[j];
                            near1 += x0;
                        }
                    }
                }
            }
            acc1 += near1;
        }
    }
    acc1 = fold_lanes<Sum, 32>(acc1);
    if (t % 32 == 0) {
        warps1[t / 32] = acc1;
    }
    __syncthreads();
    acc1 = fold_warps<Sum, 16>(warps1);
    f64* parts1 = (f64*)(p.scratch + p.parts1);
    if (t == 0) {
        parts1[(u64)row * gridDim.y + blockIdx.y] = acc1;
    }
    if (!is_last_block(p.counters + blockIdx.x, gridDim.y)) return;
    acc1 = 0.0;
    for (u32 s = t; s < gridDim.y; s += 512) {
        acc1 = Sum::join(acc1, fresh(parts1 + (u64)row * gridDim.y + s));
    }
    acc1 = fold_lanes<Sum, 32>(acc1);
    if (t % 32 == 0) {
        warps1[t / 32] = acc1;
    }
    __syncthreads();
    acc1 = fold_warps<Sum, 16>(warps1);
    f32 v1 = (f32)acc1;

    if (t == 0) {
        *out0 = v1;
    }
}
