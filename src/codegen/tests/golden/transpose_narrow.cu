struct Params {
    Fault* fault;
    u8* scratch;
    u32* counters;
    const f32* in0;
    f32* out0;
    u32 extent0;
    Divisor tiles0;
    u32 extent1;
    Divisor tiles1;
    i32 in0_step1;
    i32 out0_step0;
};

extern "C" __global__ void __launch_bounds__(256) map_turned(const Params p) {
    __shared__ f32 tile0[512][5];
    u32 n1 = divide(blockIdx.x, p.tiles1);
    u32 b1 = (blockIdx.x - n1 * p.tiles1.value) * 512;
    u32 n0 = divide(n1, p.tiles0);
    u32 b0 = (n1 - n0 * p.tiles0.value) * 5;
    f32 in0[10];
    #pragma unroll
    for (u32 k = 0; k < 10; k++) {
        u32 q = threadIdx.x + k * 256;
        u32 s0 = q % 5, s1 = q / 5;
        u32 c0 = b0 + s0, c1 = b1 + s1;
        if (c0 >= p.extent0 || c1 >= p.extent1) continue;
        in0[k] = p.in0[(i32)c0 + (i32)c1 * p.in0_step1];
    }
    #pragma unroll
    for (u32 k = 0; k < 10; k++) {
        u32 q = threadIdx.x + k * 256;
        u32 s0 = q % 5, s1 = q / 5;
        tile0[s1][s0] = in0[k];
    }
    __syncthreads();
    #pragma unroll
    for (u32 k = 0; k < 3; k++) {
        u32 q = threadIdx.x + k * 256;
        if (q >= 640) continue;
        u32 s1 = q % 128 * 4, s0 = q / 128;
        u32 c0 = b0 + s0, c1 = b1 + s1;
        if (c0 >= p.extent0 || c1 >= p.extent1) continue;
        Pack<f32, 4> out0;
        #pragma unroll
        for (u32 e = 0; e < 4; e++) {
            f32 x0 = tile0[s1 + e][s0];
            out0.at[e] = x0;
        }
        store(p.out0 + (i32)c0 * p.out0_step0 + (i32)c1, out0);
    }
}
