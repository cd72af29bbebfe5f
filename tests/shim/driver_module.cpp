// libcuda: modules, which are shared objects here, their kernels, and launches.

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "checks.h"
#include "driver.h"

namespace shim {

namespace {

struct Module;

struct Function {
    const ShimKernel* kernel;
    Module* module;
    int max_dynamic = 49152;
    /// Shared memory that it declares, which is known once it has run.
    std::atomic<int> declared{0};
    Function(const ShimKernel* kernel, Module* module) : kernel(kernel), module(module) {}
};

struct Module {
    void* handle;
    int device;
    const ShimModule* table;
    /// The file, where accesses are checked.
    std::string image;
    std::vector<std::unique_ptr<Function>> functions;
};

constexpr unsigned REGISTERS = 32;

/// The modules that are loaded, guarded by the driver's `state`.
std::vector<Module*>& loaded() {
    static std::vector<Module*> modules;
    return modules;
}

void unload(Module* module) {
    dlclose(module->handle);
    delete module;
}

/// How long an ELF image is: its section table comes last.
size_t length_of(const char* image) {
    const auto* header = reinterpret_cast<const Elf64_Ehdr*>(image);
    if (memcmp(header->e_ident, ELFMAG, SELFMAG) || header->e_type != ET_DYN) return 0;
    return header->e_shoff + size_t(header->e_shentsize) * header->e_shnum;
}

void* open_image(const char* image, size_t bytes) {
    const char* folder = getenv("TMPDIR");
    // The loader tells libraries apart by name, so a name may not come back.
    std::string path = std::string(folder && *folder ? folder : "/tmp") + "/shim-module.XXXXXX";
    const int file = mkstemp(path.data());
    if (file < 0) return nullptr;
    void* handle = nullptr;
    if (write(file, image, bytes) == ssize_t(bytes)) {
        static std::atomic<unsigned> number;
        const std::string name = path + "." + std::to_string(number++);
        rename(path.c_str(), name.c_str());
        path = name;
        handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
        if (!handle) fprintf(stderr, "shim: %s\n", dlerror());
    }
    close(file);
    unlink(path.c_str());
    return handle;
}

/// The work of a launch, if a device would take it.
int prepare(Work& work, Function* function, dim3 grid, dim3 block, unsigned dynamic, void** arguments,
            void** extra) {
    if (!function || extra) return INVALID_VALUE;
    const ShimKernel& kernel = *function->kernel;
    const uint64_t threads = uint64_t(block.x) * block.y * block.z;
    const auto refuse = [&](int code, const char* why) {
        fprintf(stderr, "shim: launch of %s with %ux%ux%u blocks of %ux%ux%u threads, %u bytes: %s\n",
                kernel.name, grid.x, grid.y, grid.z, block.x, block.y, block.z, dynamic, why);
        return code;
    };
    if (!grid.x || !grid.y || !grid.z || !threads) return refuse(INVALID_VALUE, "an empty launch");
    if (grid.x > 2147483647 || grid.y > 65535 || grid.z > 65535) return refuse(INVALID_VALUE, "too many blocks");
    if (block.x > 1024 || block.y > 1024 || block.z > 64 || threads > 1024) {
        return refuse(INVALID_VALUE, "too many threads");
    }
    if (threads > kernel.max_threads) return refuse(INVALID_VALUE, "more threads than __launch_bounds__");
    if (int(dynamic) > function->max_dynamic) return refuse(INVALID_VALUE, "more dynamic shared memory than allowed");
    if (dynamic + function->declared > SHIM_SHARED_BYTES) {
        return refuse(INVALID_VALUE, "more shared memory than a block has");
    }
    if (kernel.parameter_count && !arguments) return refuse(INVALID_VALUE, "no arguments");

    // The arguments are copied now, as the driver does: the caller's may be gone when the kernel runs.
    std::vector<size_t> offsets;
    size_t bytes = 0;
    for (unsigned at = 0; at < kernel.parameter_count; ++at) {
        bytes = (bytes + 15) & ~size_t(15);
        offsets.push_back(bytes);
        bytes += kernel.parameter_sizes[at];
    }
    if (bytes > 32764) return refuse(INVALID_VALUE, "more than 32 KiB of parameters");
    auto values = std::make_shared<std::vector<__int128>>((bytes + 15) / 16);
    char* base = reinterpret_cast<char*>(values->data());
    for (unsigned at = 0; at < kernel.parameter_count; ++at) {
        memcpy(base + offsets[at], arguments[at], kernel.parameter_sizes[at]);
    }
    Module* module = function->module;
    work = [=, &kernel] {
        std::vector<void*> pointers;
        for (size_t offset : offsets) pointers.push_back(reinterpret_cast<char*>(values->data()) + offset);
        std::string why;
        expect_kernel(*module->table, dynamic, module->image);
        const int code = run(kernel, grid, block, dynamic, pointers.data(), why);
        function->declared = int(declared_bytes());
        if (code) fprintf(stderr, "shim: %s\n", why.c_str());
        return code;
    };
    return SUCCESS;
}

int launch(Function* function, dim3 grid, dim3 block, unsigned dynamic, void* handle, void** arguments,
           void** extra) {
    if (int error = ready()) return error;
    Stream* stream = stream_of(handle);
    if (!stream || (function && function->module->device != stream->device)) return INVALID_HANDLE;
    Work work;
    if (int error = prepare(work, function, grid, block, dynamic, arguments, extra)) return error;
    return submit(stream, std::move(work));
}

/// Blocks that fit on a multiprocessor, by threads, blocks, registers and shared memory.
int occupancy(const Function* function, int threads, size_t dynamic) {
    if (threads <= 0 || threads > int(function->kernel->max_threads)) return 0;
    const int warps = (threads + 31) / 32;
    const size_t shared = function->declared + dynamic + 1024;
    int blocks = std::min({64 / warps, 32, int(65536 / (REGISTERS * 32 * warps)), int(233472 / shared)});
    return blocks;
}

}  // namespace

void unload_modules(int device) {
    std::lock_guard lock(driver().state);
    const auto gone = std::stable_partition(loaded().begin(), loaded().end(),
                                            [&](Module* module) { return module->device != device; });
    std::for_each(gone, loaded().end(), unload);
    loaded().erase(gone, loaded().end());
}

}  // namespace shim

using namespace shim;

EXPORT CUresult cuModuleLoadData(Module** out, const void* image) {
    if (int error = ready()) return error;
    const size_t bytes = length_of(static_cast<const char*>(image));
    void* handle = bytes ? open_image(static_cast<const char*>(image), bytes) : nullptr;
    const auto* table = handle ? static_cast<const ShimModule*>(dlsym(handle, "shim_module")) : nullptr;
    if (!table || table->version != SHIM_VERSION) {
        fprintf(stderr, "shim: a module that the shim's NVRTC did not make\n");
        if (handle) dlclose(handle);
        return NO_BINARY_FOR_GPU;
    }
    std::string kept;
    if (getenv("GENESIS_SHIM_SANITIZE")) kept.assign(static_cast<const char*>(image), bytes);
    *out = new Module{handle, current()->ordinal, table, kept, {}};
    std::lock_guard lock(driver().state);
    loaded().push_back(*out);
    return SUCCESS;
}
EXPORT CUresult cuModuleLoadDataEx(Module** out, const void* image, unsigned, int*, void**) {
    return cuModuleLoadData(out, image);
}
EXPORT CUresult cuModuleUnload(Module* module) {
    if (int error = ready()) return error;
    drain_all(current());
    std::lock_guard lock(driver().state);
    const auto found = std::find(loaded().begin(), loaded().end(), module);
    if (found == loaded().end()) return INVALID_VALUE;
    loaded().erase(found);
    unload(module);
    return SUCCESS;
}
EXPORT CUresult cuModuleGetLoadingMode(int* mode) { return *mode = 2, SUCCESS; }
EXPORT CUresult cuModuleGetFunctionCount(unsigned* count, Module* module) {
    return *count = module->table->kernel_count, SUCCESS;
}
EXPORT CUresult cuModuleGetFunction(Function** out, Module* module, const char* name) {
    if (int error = ready()) return error;
    for (unsigned at = 0; at < module->table->kernel_count; ++at) {
        const ShimKernel& kernel = module->table->kernels[at];
        if (strcmp(kernel.name, name)) continue;
        // A kernel without extern "C" has another name on the device.
        if (strncmp(name, "shim_expression_", 16) && !dlsym(module->handle, name)) break;
        std::lock_guard lock(driver().state);
        module->functions.push_back(std::make_unique<Function>(&kernel, module));
        return *out = module->functions.back().get(), SUCCESS;
    }
    return NOT_FOUND;
}
EXPORT CUresult cuModuleGetGlobal_v2(Pointer* out, size_t* bytes, Module* module, const char* name) {
    if (int error = ready()) return error;
    void* address = dlsym(module->handle, name);
    if (!address) return NOT_FOUND;
    Dl_info info;
    ElfW(Sym)* symbol = nullptr;
    dladdr1(address, &info, reinterpret_cast<void**>(&symbol), RTLD_DL_SYMENT);
    const size_t size = symbol ? symbol->st_size : 0;
    if (out) *out = reinterpret_cast<Pointer>(address);
    if (bytes) *bytes = size;
    std::lock_guard lock(driver().state);
    driver().allocations[reinterpret_cast<Pointer>(address)] = {size, module->device, true, nullptr};
    return SUCCESS;
}

EXPORT CUresult cuFuncGetAttribute(int* value, int attribute, Function* function) {
    switch (attribute) {
        case 0: return *value = int(function->kernel->max_threads), SUCCESS;
        case 1: return *value = int(function->declared), SUCCESS;
        case 2: case 3: case 7: return *value = 0, SUCCESS;
        case 4: return *value = REGISTERS, SUCCESS;
        case 5: case 6: return *value = 90, SUCCESS;
        case 8: return *value = function->max_dynamic, SUCCESS;
        case 9: return *value = -1, SUCCESS;
        default: return INVALID_VALUE;
    }
}
EXPORT CUresult cuFuncSetAttribute(Function* function, int attribute, int value) {
    if (attribute == 9) return SUCCESS;
    if (attribute != 8) return INVALID_VALUE;
    const int most = int(SHIM_SHARED_BYTES - function->declared);
    if (value < 0 || value > most) return INVALID_VALUE;
    return function->max_dynamic = value, SUCCESS;
}
EXPORT CUresult cuFuncSetCacheConfig(Function*, int) { return SUCCESS; }
EXPORT CUresult cuFuncLoad(Function*) { return SUCCESS; }
EXPORT CUresult cuFuncGetModule(Module** out, Function* function) { return *out = function->module, SUCCESS; }
EXPORT CUresult cuFuncGetName(const char** name, Function* function) {
    return *name = function->kernel->name, SUCCESS;
}
EXPORT CUresult cuFuncGetParamInfo(Function* function, size_t at, size_t* offset, size_t* size) {
    if (at >= function->kernel->parameter_count) return INVALID_VALUE;
    *offset = 0;
    if (size) *size = function->kernel->parameter_sizes[at];
    return SUCCESS;
}

EXPORT CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, Function* function, int threads,
                                                            size_t dynamic) {
    return *blocks = occupancy(function, threads, dynamic), SUCCESS;
}
EXPORT CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, Function* function,
                                                                     int threads, size_t dynamic, unsigned) {
    return *blocks = occupancy(function, threads, dynamic), SUCCESS;
}
EXPORT CUresult cuOccupancyMaxPotentialBlockSize(int* grid, int* block, Function* function,
                                                 size_t (*shared_of)(int), size_t dynamic, int limit) {
    int best = 0;
    for (int threads = 32; threads <= int(function->kernel->max_threads); threads += 32) {
        if (limit && threads > limit) break;
        const int blocks = occupancy(function, threads, shared_of ? shared_of(threads) : dynamic);
        if (blocks * threads < best) continue;
        best = blocks * threads;
        *grid = blocks * driver().multiprocessors;
        *block = threads;
    }
    return best ? SUCCESS : INVALID_VALUE;
}
EXPORT CUresult cuOccupancyAvailableDynamicSMemPerBlock(size_t* bytes, Function* function, int blocks, int) {
    if (blocks <= 0) return INVALID_VALUE;
    const size_t each = 233472 / blocks, own = function->declared + 1024;
    return *bytes = std::min<size_t>(each > own ? each - own : 0, SHIM_SHARED_BYTES), SUCCESS;
}

EXPORT CUresult cuLaunchKernel(Function* function, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
                               unsigned by, unsigned bz, unsigned dynamic, void* stream, void** arguments,
                               void** extra) {
    return launch(function, {gx, gy, gz}, {bx, by, bz}, dynamic, stream, arguments, extra);
}

namespace {
struct LaunchConfiguration {
    unsigned grid[3], block[3], dynamic;
    void* stream;
    void* attributes;
    unsigned attribute_count;
};
}  // namespace

EXPORT CUresult cuLaunchKernelEx(const LaunchConfiguration* to, Function* function, void** arguments,
                                 void** extra) {
    return launch(function, {to->grid[0], to->grid[1], to->grid[2]},
                  {to->block[0], to->block[1], to->block[2]}, to->dynamic, to->stream, arguments, extra);
}

/// For the pretended cuBLAS, whose work is ordered by streams too.
__attribute__((visibility("default"))) int shim_submit(void* handle, std::function<int()> work) {
    if (int error = ready()) return error;
    Stream* stream = stream_of(handle);
    return stream ? submit(stream, std::move(work)) : INVALID_HANDLE;
}

namespace {
struct NodeParameters {
    Function* function;
    unsigned grid[3], block[3], dynamic;
    void** arguments;
    void** extra;
    void* kernel;
    void* context;

    int work_of(Work& work) const {
        if (int error = ready()) return error;
        if (!function || function->module->device != current()->ordinal) return INVALID_HANDLE;
        return shim::prepare(work, function, {grid[0], grid[1], grid[2]}, {block[0], block[1], block[2]}, dynamic,
                         arguments, extra);
    }
};
}  // namespace

EXPORT CUresult cuGraphAddKernelNode_v2(void** out, Graph* graph, void* const* before, size_t count,
                                        const NodeParameters* to) {
    // What a node waits for is there before it, so nodes run in the order in which they were added.
    for (size_t at = 0; at < count; ++at) {
        if (place_of(graph, before[at]) < 0) return INVALID_VALUE;
    }
    // Without an order between them nodes may run at once, which would not be shown here.
    if (!count && !graph->nodes.empty()) return NOT_SUPPORTED;
    Work work;
    if (int error = to->work_of(work)) return error;
    graph->nodes.push_back(std::move(work));
    return *out = &graph->nodes.back(), SUCCESS;
}
EXPORT CUresult cuGraphExecKernelNodeSetParams_v2(Graph* executable, void* node, const NodeParameters* to) {
    const long at = place_of(executable, node);
    if (at < 0) return INVALID_VALUE;
    return to->work_of(executable->nodes[at]);
}
