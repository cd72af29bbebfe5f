#!/usr/bin/env python3
"""Tries the shim by itself: compile, load, launch, read back. Needs `tests/shim/build` to have run.

    tests/shim/selftest.py [FOLDER]        (target/shim if none is given)
"""

import array
import ctypes
import os
import struct
import sys

HOME = sys.argv[1] if len(sys.argv) > 1 else os.path.join(
    os.path.dirname(os.path.abspath(__file__)), "../../target/shim")
cuda = ctypes.CDLL(f"{HOME}/libcuda.so.1")
nvrtc = ctypes.CDLL(f"{HOME}/libnvrtc.so.13")
cublas = ctypes.CDLL(f"{HOME}/libcublas.so.13")


def ok(code):
    assert code == 0, f"error {code}"


def expect(what, is_so):
    assert is_so, what
    print("ok", what)


def compile(source, *options):
    program = ctypes.c_void_p()
    ok(nvrtc.nvrtcCreateProgram(ctypes.byref(program), source.encode(), b"test.cu", 0, None, None))
    words = ["--gpu-architecture=sm_90", "--fmad=false", *options]
    result = nvrtc.nvrtcCompileProgram(
        program, len(words), (ctypes.c_char_p * len(words))(*[w.encode() for w in words]))
    size = ctypes.c_size_t()
    nvrtc.nvrtcGetProgramLogSize(program, ctypes.byref(size))
    log = ctypes.create_string_buffer(size.value)
    nvrtc.nvrtcGetProgramLog(program, log)
    if result:
        return None, log.value.decode()
    nvrtc.nvrtcGetCUBINSize(program, ctypes.byref(size))
    image = ctypes.create_string_buffer(size.value)
    nvrtc.nvrtcGetCUBIN(program, image)
    nvrtc.nvrtcDestroyProgram(ctypes.byref(program))
    return image, log.value.decode()


def load(source, name, *options):
    image, log = compile(source, *options)
    assert image, log
    module, function = ctypes.c_void_p(), ctypes.c_void_p()
    ok(cuda.cuModuleLoadData(ctypes.byref(module), image))
    ok(cuda.cuModuleGetFunction(ctypes.byref(function), module, name.encode()))
    return function


class Buffer:
    def __init__(self, kind, values):
        self.kind, self.count = kind, len(values)
        data = array.array(kind, values)
        self.bytes = len(data) * data.itemsize
        self.pointer = ctypes.c_uint64()
        ok(cuda.cuMemAlloc_v2(ctypes.byref(self.pointer), ctypes.c_size_t(self.bytes)))
        ok(cuda.cuMemcpyHtoD_v2(self.pointer, data.tobytes(), ctypes.c_size_t(self.bytes)))

    def read(self):
        data = ctypes.create_string_buffer(self.bytes)
        ok(cuda.cuMemcpyDtoH_v2(data, self.pointer, ctypes.c_size_t(self.bytes)))
        return list(array.array(self.kind, data.raw))


def launch(function, grid, block, *arguments, shared=0):
    values = [a.pointer if isinstance(a, Buffer) else a for a in arguments]
    table = (ctypes.c_void_p * len(values))(*[ctypes.addressof(v) for v in values])
    return cuda.cuLaunchKernel(function, grid, 1, 1, block, 1, 1, shared, None, table, None)


def start():
    ok(cuda.cuInit(0))
    device, context = ctypes.c_int(), ctypes.c_void_p()
    ok(cuda.cuDeviceGet(ctypes.byref(device), 0))
    ok(cuda.cuDevicePrimaryCtxRetain(ctypes.byref(context), device))
    pointer = ctypes.c_uint64()
    expect("no context on this thread is an error",
           cuda.cuMemAlloc_v2(ctypes.byref(pointer), ctypes.c_size_t(8)) == 201)
    ok(cuda.cuCtxSetCurrent(context))


def elementwise():
    source = """
    struct Pair { int a; double b; };
    template <typename V> __device__ V fused(V x, V y) { return exp2(x) + y; }
    extern "C" __global__ void __launch_bounds__(256) chain(const REAL* x, const REAL* y, REAL* out,
                                                            long long n, Pair pair) {
        for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; i < n;
             i += (long long)gridDim.x * blockDim.x) out[i] = fused(x[i], y[i]) * REAL(pair.b);
    }"""
    n = 1000
    x, y = Buffer("f", [i % 10 for i in range(n)]), Buffer("f", range(n))
    out = Buffer("f", [0] * n)
    pair = ctypes.create_string_buffer(struct.pack("i4xd", 1, 2.0))
    function = load(source, "chain", "-DREAL=float")
    ok(launch(function, 3, 128, x, y, out, ctypes.c_longlong(n), pair))
    expect("an elementwise kernel", out.read() == [(2 ** (i % 10) + i) * 2 for i in range(n)])
    expect("more threads than the launch bounds", launch(
        function, 1, 512, x, y, out, ctypes.c_longlong(n), pair) == 1)


def reduction():
    source = """
    extern "C" __global__ void sum(const float* x, float* out, int n) {
        __shared__ union { float values[32]; int any; } shared; float* partial = shared.values;
        float mine = 0;
        for (int i = threadIdx.x; i < n; i += blockDim.x) mine += x[blockIdx.x * n + i];
        for (int step = 16; step; step /= 2) mine += __shfl_down_sync(~0u, mine, step);
        if (threadIdx.x % 32 == 0) partial[threadIdx.x / 32] = mine;
        __syncthreads();
        if (threadIdx.x >= 32) return;
        mine = threadIdx.x < blockDim.x / 32 ? partial[threadIdx.x] : 0;
        for (int step = 16; step; step /= 2) mine += __shfl_xor_sync(~0u, mine, step);
        if (threadIdx.x == 0) out[blockIdx.x] = mine;
    }"""
    rows, n = 40, 777
    x, out = Buffer("f", [i % 13 for i in range(rows * n)]), Buffer("f", [0] * rows)
    ok(launch(load(source, "sum"), rows, 256, x, out, ctypes.c_int(n)))
    expect("a block reduction with shuffles", out.read() == [
        sum(i % 13 for i in range(row * n, row * n + n)) for row in range(rows)])


def look_back():
    source = """
    struct Tile { unsigned state; int sum; };
    extern "C" __global__ void scan(const int* x, int* out, volatile Tile* tiles, unsigned* next, int n) {
        __shared__ unsigned tile;
        __shared__ int before, lanes[32];
        if (threadIdx.x == 0) tile = atomicAdd(next, 1);
        __syncthreads();
        const int i = tile * blockDim.x + threadIdx.x, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
        int value = i < n ? x[i] : 0;
        for (int step = 1; step < 32; step *= 2) {
            const int other = __shfl_up_sync(~0u, value, step);
            if (lane >= step) value += other;
        }
        if (lane == 31) lanes[warp] = value;
        __syncthreads();
        int base = 0, total = 0;
        for (int w = 0; w < blockDim.x / 32; ++w) { if (w < warp) base += lanes[w]; total += lanes[w]; }
        if (threadIdx.x == 0) {
            if (tile) { tiles[tile].sum = total; __threadfence(); tiles[tile].state = 1; }
            int sum = 0;
            for (int t = int(tile) - 1; t >= 0;) {
                unsigned state;
                while ((state = tiles[t].state) == 0) __nanosleep(20);
                __threadfence();
                sum += tiles[t].sum;
                if (state == 2) break;
                --t;
            }
            before = sum;
            tiles[tile].sum = sum + total; __threadfence(); tiles[tile].state = 2;
        }
        __syncthreads();
        if (i < n) out[i] = before + base + value;
    }"""
    n, block = 5000, 128
    tiles = (n + block - 1) // block
    x, out = Buffer("i", [i % 7 - 3 for i in range(n)]), Buffer("i", [0] * n)
    state, counter = Buffer("I", [0] * 2 * tiles), Buffer("I", [0])
    ok(launch(load(source, "scan"), tiles, block, x, out, state, counter, ctypes.c_int(n)))
    sums, total = [], 0
    for i in range(n):
        total += i % 7 - 3
        sums.append(total)
    expect("a scan with look-back", out.read() == sums)


def dynamic_shared():
    source = """
    template <int N> __device__ void turn(const double* x, double* out) {
        extern __shared__ __align__(16) unsigned char
            memory[];
        double* values = reinterpret_cast<double*>(memory);
        values[threadIdx.x] = x[threadIdx.x];
        __syncthreads();
        out[threadIdx.x] = values[blockDim.x - 1 - threadIdx.x] * N;
    }
    extern "C" __global__ void reverse(const double* x, double* out) { turn<3>(x, out); }"""
    function = load(source, "reverse")
    x, out = Buffer("d", range(512)), Buffer("d", [0] * 512)
    ok(launch(function, 1, 512, x, out, shared=4096))
    expect("dynamic shared memory", out.read() == [3 * i for i in reversed(range(512))])
    expect("too much of it", launch(function, 1, 512, x, out, shared=60000) == 1)
    ok(cuda.cuFuncSetAttribute(function, 8, 200000))
    expect("more after opting in", launch(function, 1, 512, x, out, shared=60000) == 0)


def warps():
    source = """
    extern "C" __global__ void warp(unsigned* out) {
        const unsigned lane = threadIdx.x;
        if (lane >= 27) return;                       // lanes that are gone hold nobody up
        unsigned r = 0;
        if (lane % 2) r = __reduce_add_sync(0xaaaaaaaa, lane);
        else r = __ballot_sync(0x55555555, lane % 4);
        r += __popc(__match_any_sync(0xffffffff, lane / 8)) * 1000;
        __syncwarp();
        r += __shfl_sync(0xffffffff, lane, 5, 8) * 100000;
        out[lane] = r;
    }"""
    out = Buffer("I", [0] * 32)
    ok(launch(load(source, "warp"), 1, 32, out))
    odd = sum(lane for lane in range(27) if lane % 2)
    ballot = sum(1 << lane for lane in range(27) if lane % 4 == 2)
    want = [((odd if lane % 2 else ballot) + (8 if lane < 24 else 3) * 1000
             + (lane // 8 * 8 + 5) * 100000) & 0xffffffff for lane in range(24)]
    expect("warp operations under divergence", out.read()[:24] == want)


def products():
    handle = ctypes.c_void_p()
    ok(cublas.cublasCreate_v2(ctypes.byref(handle)))
    m, n, k = 3, 4, 5
    a, b = Buffer("d", range(m * k)), Buffer("d", range(k * n))
    c = Buffer("d", [float("nan")] * m * n)
    one, zero = ctypes.c_double(1), ctypes.c_double(0)
    for ta in (0, 1):
        ok(cublas.cublasGemmEx(
            handle, ta, 0, m, n, k, ctypes.byref(one), a.pointer, 1, k if ta else m, b.pointer, 1, k,
            ctypes.byref(zero), c.pointer, 1, m, 70, -1))
        want = [sum((i * k + t if ta else i + t * m) * (t + j * k) for t in range(k))
                for j in range(n) for i in range(m)]
        expect(f"a matrix product, transposed {ta}", c.read() == want)


def mistakes():
    image, log = compile('extern "C" __global__ void f(float* x) {\n  x[0] = 1;\n  x[1] = nothing;\n}\n')
    expect("a compile error has its line", image is None and "test.cu(3): error:" in log)
    image, log = compile('#define N 1\n#define N 2\nextern "C" __global__ void f(float* x) { x[0] = N; }\n')
    expect("a macro that is defined twice is an error", image is None and '"N" redefined' in log)
    image, log = compile('#include <stdint.h>\n')
    expect("there are no headers", image is None and "test.cu(1): error:" in log)
    pointer = ctypes.c_uint64()
    expect("out of memory", cuda.cuMemAlloc_v2(ctypes.byref(pointer), ctypes.c_size_t(1 << 40)) == 2)
    expect("a wild copy", cuda.cuMemcpyHtoD_v2(ctypes.c_uint64(4096), b"1234", ctypes.c_size_t(4)) == 1)


def child(source, name, block, error, *words, shared=0):
    """Runs a kernel that fails in a process of its own, for the error stays in the context."""
    sys.stdout.flush()
    reader, writer = os.pipe()
    process = os.fork()
    if process == 0:
        os.dup2(writer, 2)
        x = Buffer("f", [0] * 64)
        code = launch(load(source, name), 2, block, x, ctypes.c_int(0), shared=shared)
        again = cuda.cuCtxSynchronize()
        os._exit(0 if code in (0, error) and again == error else 1)
    os.close(writer)
    text = os.fdopen(reader).read()
    state = os.waitpid(process, 0)[1]
    expect(f"{name}: {text.strip()}", state == 0 and all(word in text for word in words))


def failures():
    child("""extern "C" __global__ void half_at_barrier(float* x, int zero) {
        if (threadIdx.x < 40) __syncthreads(); else __shfl_sync(~0u, x[0], 0);
    }""", "half_at_barrier", 64, 719, "wait for each other", "thread 0 at __syncthreads", "thread 40")
    child("""extern "C" __global__ void unaligned(float* x, int zero) {
        *(float4*)(x + threadIdx.x) = make_float4(1, 2, 3, 4);
    }""", "unaligned", 2, 716, "test.cu(2)", "thread (1, 0, 0)", "float4")
    child("""extern "C" __global__ void beyond(float* x, int zero) {
        __shared__ float s[32];
        s[threadIdx.x] = 1;
    }""", "beyond", 64, 700, "test.cu(3)", "index ", "float [32]")
    child("""extern "C" __global__ void divide(float* x, int zero) {
        x[0] = 1 / zero;
    }""", "divide", 1, 719, "division by zero")
    if os.environ.get("GENESIS_SHIM_SANITIZE", "0") != "0":
        child("""extern "C" __global__ void outside(float* x, int zero) {
            x[threadIdx.x] = x[threadIdx.x + 1];
        }""", "outside", 64, 700, "test.cu(2)", "thread (63, 0, 0)", "reads 4 bytes",
              "byte 256 of an allocation of 256")
        child("""template <class V, int N> struct Few { V v[N]; };
        template <class V> __device__ V turned(V x) {
            __shared__ Few<V, 3> a, b[2 < 3 ? 2 : 3]; __shared__ union { V v[2]; int i; } c;
            __shared__ alignas(8) V
                s[64];
            s[threadIdx.x] = x;
            __syncwarp();
            return s[threadIdx.x ^ 32];
        }
        extern "C" __global__ void racing(float* x, int zero) { x[threadIdx.x] = turned(x[threadIdx.x]); }""", "racing", 64, 719, "test.cu(", "a race")
        child("""extern "C" __global__ void overwriting(float* x, int zero) {
            extern __shared__ float s[];
            s[0] = 1;                       // the same by all is no race
            __syncthreads();
            s[0] = threadIdx.x;
            atomicAdd(&s[1], 1.0f);
            __syncthreads();
            x[threadIdx.x] = s[0];
        }""", "overwriting", 64, 719, "a race: overwrites", shared=8)
        child("""extern "C" __global__ void parted(float* x, int zero) {
            extern __shared__ unsigned s[];
            volatile unsigned char* bytes = (volatile unsigned char*)s;
            s[threadIdx.x] = threadIdx.x;
            __syncthreads();
            bytes[threadIdx.x] = 7;         // each its own byte of a word is no race
            __syncthreads();
            if (threadIdx.x == 0) s[1] = 9;
            else if (threadIdx.x == 40) x[0] = bytes[6];
        }""", "parted", 64, 719, "a race: reads", shared=256)
        for ticket in ["unsigned ticket", "unsigned tickets[2]"]:
            place = "ticket" if ticket.endswith("t") else "tickets[1]"
            # A variable that the compiler knows, at an index that it knows.
            child(f"""extern "C" __global__ void drawing(float* x, int zero) {{
                __shared__ {ticket};
                if (threadIdx.x == 0) {place} = 1;
                __syncthreads();
                unsigned own = {place};
                unsigned first = __shfl_sync(~0u, own, 0);
                if (threadIdx.x == 0) {place} = 2;      // the other warp may not have read it
                __syncthreads();
                x[threadIdx.x] = own + first + {place};
            }}""", "drawing", 64, 719, "a race")


def graphs():
    source = 'extern "C" __global__ void next(int* x, int by) { *x += by; }'
    function, x = load(source, "next"), Buffer("i", [0])
    stream, graph, runs = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p()
    ok(cuda.cuStreamCreate(ctypes.byref(stream), 1))
    ok(cuda.cuStreamBeginCapture_v2(stream, 2))
    for by in (1, 10):
        value = ctypes.c_int(by)
        table = (ctypes.c_void_p * 2)(ctypes.addressof(x.pointer), ctypes.addressof(value))
        ok(cuda.cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, stream, table, None))
    ok(cuda.cuStreamEndCapture(stream, ctypes.byref(graph)))
    ok(cuda.cuGraphInstantiateWithFlags(ctypes.byref(runs), graph, ctypes.c_ulonglong(0)))
    for _ in range(3):
        ok(cuda.cuGraphLaunch(runs, stream))
    ok(cuda.cuStreamSynchronize(stream))
    expect("a graph of two kernels, three times", x.read() == [33])
    events = [ctypes.c_void_p() for _ in range(2)]
    for event in events:
        ok(cuda.cuEventCreate(ctypes.byref(event), 0))
        ok(cuda.cuEventRecord(event, stream))
    milliseconds = ctypes.c_float(-1)
    ok(cuda.cuEventSynchronize(events[1]))
    ok(cuda.cuEventElapsedTime_v2(ctypes.byref(milliseconds), *events))
    expect("events measure time", 0 <= milliseconds.value < 1000)


class Node(ctypes.Structure):
    """CUDA_KERNEL_NODE_PARAMS_v2."""
    _fields_ = [("function", ctypes.c_void_p), ("grid", ctypes.c_uint * 3), ("block", ctypes.c_uint * 3),
                ("shared", ctypes.c_uint), ("arguments", ctypes.c_void_p), ("extra", ctypes.c_void_p),
                ("kernel", ctypes.c_void_p), ("context", ctypes.c_void_p)]

    @staticmethod
    def of(function, *arguments, threads=1):
        node = Node(function, (1, 1, 1), (threads, 1, 1))
        node.values = arguments
        node.table = (ctypes.c_void_p * len(arguments))(*[ctypes.addressof(a) for a in arguments])
        node.arguments = ctypes.addressof(node.table)
        return node


def nodes():
    source = 'extern "C" __global__ void step(int* x, int by) { *x = *x * 10 + by; }'
    function, x, y = load(source, "step"), Buffer("i", [0]), Buffer("i", [0])
    graph, runs, first, second = (ctypes.c_void_p() for _ in range(4))
    ok(cuda.cuGraphCreate(ctypes.byref(graph), 0))
    a, b = (Node.of(function, x.pointer, ctypes.c_int(by)) for by in (1, 2))
    ok(cuda.cuGraphAddKernelNode_v2(ctypes.byref(first), graph, None, 0, ctypes.byref(a)))
    before = (ctypes.c_void_p * 1)(first)
    ok(cuda.cuGraphAddKernelNode_v2(ctypes.byref(second), graph, before, 1, ctypes.byref(b)))
    ok(cuda.cuGraphInstantiateWithFlags(ctypes.byref(runs), graph, ctypes.c_ulonglong(0)))
    ok(cuda.cuGraphLaunch(runs, None))
    c = Node.of(function, x.pointer, ctypes.c_int(7))
    ok(cuda.cuGraphExecKernelNodeSetParams_v2(runs, second, ctypes.byref(c)))
    ok(cuda.cuGraphLaunch(runs, None))
    expect("a graph's node gets other parameters", x.read() == [1217])
    for node, to in ((first, Node.of(function, y.pointer, ctypes.c_int(4))), (second, Node.of(function, y.pointer, ctypes.c_int(5)))):
        ok(cuda.cuGraphExecKernelNodeSetParams_v2(runs, node, ctypes.byref(to)))
    ok(cuda.cuGraphLaunch(runs, None))
    expect("and another place", x.read() == [1217] and y.read() == [45])
    bad = Node.of(function, x.pointer, ctypes.c_int(7), threads=2048)
    expect("a node that no device would take",
           cuda.cuGraphExecKernelNodeSetParams_v2(runs, second, ctypes.byref(bad)) == 1)
    expect("a node of no graph", cuda.cuGraphExecKernelNodeSetParams_v2(runs, runs, ctypes.byref(c)) == 1)
    ok(cuda.cuGraphExecDestroy(runs))
    ok(cuda.cuGraphDestroy(graph))


def vanishing(use, unmap):
    """Unmaps what queued work uses, in a process of its own, for the error stays in the context."""
    sys.stdout.flush()
    reader, writer = os.pipe()
    process = os.fork()
    if process == 0:
        os.dup2(writer, 2)
        codes = (use(), unmap(), cuda.cuCtxSynchronize(), cuda.cuCtxSynchronize())
        os._exit(0 if codes == (0, 0, 700, 700) else 1)
    os.close(writer)
    text = os.fdopen(reader).read()
    state = os.waitpid(process, 0)[1]
    expect(f"unmapped before its turn: {text.strip()}", state == 0 and "no page is mapped" in text)


def pages():
    page, u64, size_t = 2 << 20, ctypes.c_uint64, ctypes.c_size_t
    properties = struct.pack("iiiiP8x", 1, 0, 1, 0, 0)
    access = struct.pack("iii", 1, 0, 3)
    least, base, handles = size_t(), u64(), [u64(), u64()]

    def free():
        left, total = size_t(), size_t()
        ok(cuda.cuMemGetInfo_v2(ctypes.byref(left), ctypes.byref(total)))
        return left.value, total.value

    def call(name, at, pages=1, *rest):
        return getattr(cuda, name)(u64(base.value + at * page), size_t(pages * page), *rest)

    def put(at, handle):
        return call("cuMemMap", at, 1, size_t(0), handle, u64(0))

    def read(at, count):
        data = ctypes.create_string_buffer(count)
        return cuda.cuMemcpyDtoH_v2(data, u64(base.value + at), size_t(count)), data.raw

    ok(cuda.cuMemGetAllocationGranularity(ctypes.byref(least), properties, 0))
    before = free()
    ok(cuda.cuMemAddressReserve(ctypes.byref(base), size_t(4 * page), size_t(0), u64(0), u64(0)))
    expect("pages are of 2 MiB, addresses cost nothing",
           least.value == page and base.value % page == 0 and free() == before)
    for handle in handles:
        ok(cuda.cuMemCreate(ctypes.byref(handle), size_t(page), properties, u64(0)))
    expect("created memory counts", free()[0] == before[0] - 2 * page)
    none = u64()
    expect("more than there is", cuda.cuMemCreate(
        ctypes.byref(none), size_t(before[1] // page * page), properties, u64(0)) == 2)
    expect("half a page", cuda.cuMemCreate(ctypes.byref(none), size_t(page // 2), properties, u64(0)) == 1)
    ok(put(0, handles[0]))
    ok(put(1, handles[1]))
    expect("two mappings at one address", put(1, handles[0]) == 1)
    expect("no access before it is set", read(0, 1)[0] == 1)
    expect("access to what is not mapped", call("cuMemSetAccess", 0, 3, access, size_t(1)) == 1)
    ok(call("cuMemSetAccess", 0, 2, access, size_t(1)))
    words = bytes(range(256))
    ok(cuda.cuMemcpyHtoD_v2(u64(base.value + page - 128), words, size_t(256)))
    expect("a copy goes over two pages", read(page - 128, 256) == (0, words))
    ok(put(3, handles[1]))
    ok(call("cuMemSetAccess", 3, 1, access, size_t(1)))
    expect("a page at a second address", read(3 * page, 128) == (0, words[128:]))
    function = load('extern "C" __global__ void over(char* x) { x[threadIdx.x] += 1; }', "over")
    ok(launch(function, 1, 128, u64(base.value + 3 * page)))
    expect("a kernel writes through one address what the other shows",
           read(page, 128) == (0, bytes(word + 1 & 255 for word in words[128:])))
    words = words[:128] + read(page, 128)[1]
    if os.environ.get("GENESIS_SHIM_QUEUE") == "lazy":
        vanishing(lambda: cuda.cuMemsetD8Async(u64(base.value + page), ctypes.c_ubyte(1), size_t(8), None),
                  lambda: call("cuMemUnmap", 1))
        if os.environ.get("GENESIS_SHIM_SANITIZE", "0") != "0":
            vanishing(lambda: launch(function, 1, 8, u64(base.value + page)), lambda: call("cuMemUnmap", 1))
    expect("addresses in use stay", call("cuMemAddressFree", 0, 4) == 1)
    ok(call("cuMemUnmap", 0, 2))
    expect("an unmapped page", read(0, 1)[0] == 1 and call("cuMemUnmap", 0) == 1)
    for handle in handles:
        ok(cuda.cuMemRelease(handle))
    expect("memory stays while it is mapped",
           free()[0] == before[0] - page and read(3 * page, 128) == (0, words[128:]))
    expect("memory is released once", cuda.cuMemRelease(handles[1]) == 1)
    ok(call("cuMemUnmap", 3))
    ok(call("cuMemAddressFree", 0, 4))
    expect("nothing is left of pages", free() == before)


if __name__ == "__main__":
    start()
    for part in (elementwise, reduction, look_back, dynamic_shared, warps, products, graphs, nodes, pages, mistakes, failures):
        part()
