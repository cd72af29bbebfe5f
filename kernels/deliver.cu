// Small results, brought to the host without waiting for the driver: a block copies each part to
// memory that the host has mapped, and the last block to finish writes a number that the host
// watches.
//
// Grid: one block a part. Parts lie one behind the other in `to`, each beginning at a multiple of 8.

#define MOST 32

struct Parts {
    const u8* from[MOST];
    u32 bytes[MOST];
    u32 at[MOST];
};

extern "C" __global__ void deliver(
    const Parts parts, u8* to, u32* flag, u32 number, u32* counters) {
    u32 part = blockIdx.x;
    const u8* from = parts.from[part];
    u8* out = to + parts.at[part];
    u32 bytes = parts.bytes[part];
    if ((u64)from % 8 == 0) {
        for (u32 i = threadIdx.x; i < bytes / 8; i += blockDim.x) {
            ((u64*)out)[i] = ((const u64*)from)[i];
        }
        for (u32 i = bytes / 8 * 8 + threadIdx.x; i < bytes; i += blockDim.x) {
            out[i] = from[i];
        }
    } else {
        for (u32 i = threadIdx.x; i < bytes; i += blockDim.x) {
            out[i] = from[i];
        }
    }
    __threadfence_system();
    __syncthreads();
    if (threadIdx.x == 0) {
        bool is_last = gridDim.x == 1 || atomicAdd(counters, 1u) == gridDim.x - 1;
        if (is_last) {
            counters[0] = 0;
            __threadfence_system();
            *(volatile u32*)flag = number;
        }
    }
}
