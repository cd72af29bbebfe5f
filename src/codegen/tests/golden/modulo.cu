struct Params {
    Fault* fault;
    u8* scratch;
    u32* counters;
    const i16* in0;
    const i16* in1;
    i16* out0;
    u32 begin;
    u32 end;
    u64 position;
};

extern "C" __global__ void __launch_bounds__(512) map(const Params p) {
    u32 i = (blockIdx.x * blockDim.x + threadIdx.x) * 8;
    Pack<i16, 8> in0 = load_part<8>(p.in0, i, p.begin, p.end);
    Pack<i16, 8> in1 = load_part<8>(p.in1, i, p.begin, p.end);
    Pack<i16, 8> out0;
    #pragma unroll
    for (u32 e = 0; e < 8; e++) {
        if (i + e < p.begin || i + e >= p.end) continue;
        i16 x0 = in0.at[e];
        i16 x1 = in1.at[e];
        if (x1 == 0) report(p.fault, p.position + i + e, FAULT_DIVISION, 2, 0, 0, 0);
        i16 v2 = modulo(x0, x1);
        out0.at[e] = v2;
    }
    store_part(p.out0, i, p.begin, p.end, out0);
}
