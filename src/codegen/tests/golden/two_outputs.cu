struct Params {
    Fault* fault;
    u8* scratch;
    u32* counters;
    const i32* in0;
    const i32* in1;
    u8* out0;
    i32* out1;
    u32 begin;
    u32 end;
};

extern "C" __global__ void __launch_bounds__(512) map(const Params p) {
    i32 x1 = *p.in1;
    u32 i = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
    Pack<i32, 4> in0 = load_part<4>(p.in0, i, p.begin, p.end);
    Pack<u8, 4> out0;
    Pack<i32, 4> out1;
    #pragma unroll
    for (u32 e = 0; e < 4; e++) {
        i32 x0 = in0.at[e];
        bool v2 = x0 > x1;
        i32 v3 = add(x0, x1);
        out0.at[e] = v2;
        out1.at[e] = v3;
    }
    store_part(p.out0, i, p.begin, p.end, out0);
    store_part(p.out1, i, p.begin, p.end, out1);
}
