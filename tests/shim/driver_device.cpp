// libcuda: initialisation, devices, contexts, names of errors.

#include <algorithm>
#include <cctype>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>

#include "driver.h"

namespace shim {

namespace {

thread_local std::vector<Device*> contexts;

uint64_t number(const char* name, uint64_t otherwise) {
    const char* text = getenv(name);
    if (!text || !*text) return otherwise;
    char* end;
    const double value = strtod(text, &end);
    const char* units = "KMGT";
    const char* unit = *end ? strchr(units, *end & ~32) : nullptr;
    return uint64_t(value * double(uint64_t(1) << (unit ? 10 * (unit - units + 1) : 0)));
}

/// CUDA_VISIBLE_DEVICES hides devices: those from the first number that is not one of them.
int visible(int count) {
    const char* text = getenv("CUDA_VISIBLE_DEVICES");
    if (!text) return count;
    int shown = 0;
    for (char* end; isdigit(*text) && strtol(text, &end, 10) < count; text = end + 1) {
        ++shown;
        if (*end != ',') break;
    }
    return std::min(shown, count);
}

struct sigaction before[32];

/// Says which thread of which kernel crashed, then lets the crash go on as without us.
void on_crash(int signal, siginfo_t*, void*) {
    if (is_running()) fprintf(stderr, "shim: signal %d in %s\n", signal, place().c_str());
    sigaction(signal, &before[signal], nullptr);
}

int initialize() {
    Driver& d = driver();
    std::lock_guard lock(d.state);
    if (d.is_initialized) return d.devices.empty() ? NO_DEVICE : SUCCESS;
    // Kernels find the runtime's functions in this library, which was opened for cudarc alone.
    Dl_info info;
    if (dladdr(reinterpret_cast<void*>(&driver), &info)) {
        dlopen(info.dli_fname, RTLD_NOW | RTLD_GLOBAL | RTLD_NOLOAD);
    }
    d.capacity = number("GENESIS_SHIM_MEMORY", d.capacity);
    d.multiprocessors = int(number("GENESIS_SHIM_MULTIPROCESSORS", 132));
    d.is_poisoned = number("GENESIS_SHIM_POISON", 0);
    const char* queue = getenv("GENESIS_SHIM_QUEUE");
    d.is_lazy = queue && (!strcmp(queue, "lazy") || !strcmp(queue, "thread"));
    d.has_thread = queue && !strcmp(queue, "thread");
    const int count = visible(int(number("GENESIS_SHIM_DEVICES", 1)));
    for (int ordinal = 0; ordinal < count; ++ordinal) {
        d.devices.push_back(std::make_unique<Device>());
        d.devices.back()->ordinal = d.devices.back()->null_stream.device = ordinal;
        d.devices.back()->pool.device = ordinal;
    }
    for (int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL}) {
        struct sigaction action = {};
        action.sa_sigaction = on_crash;
        action.sa_flags = SA_SIGINFO | SA_ONSTACK;
        sigaction(signal, &action, &before[signal]);
    }
    d.is_initialized = true;
    return count ? SUCCESS : NO_DEVICE;
}

Device* device_at(int ordinal) {
    Driver& d = driver();
    return ordinal >= 0 && size_t(ordinal) < d.devices.size() ? d.devices[ordinal].get() : nullptr;
}

}  // namespace

std::atomic<uint64_t> losses{0};

Driver& driver() {
    // Never destroyed: threads may still call while the process ends.
    static Driver* const only = new Driver;
    return *only;
}

Device* current() { return contexts.empty() ? nullptr : contexts.back(); }

int ready() {
    Driver& d = driver();
    if (!d.is_initialized) return NOT_INITIALIZED;
    if (!current()) return INVALID_CONTEXT;
    return d.sticky;
}

}  // namespace shim

using namespace shim;

EXPORT CUresult cuInit(unsigned flags) { return flags ? INVALID_VALUE : initialize(); }
EXPORT CUresult cuDriverGetVersion(int* version) { return *version = 13000, SUCCESS; }

EXPORT CUresult cuDeviceGetCount(int* count) {
    if (!driver().is_initialized) return NOT_INITIALIZED;
    return *count = int(driver().devices.size()), SUCCESS;
}
EXPORT CUresult cuDeviceGet(int* device, int ordinal) {
    if (!driver().is_initialized) return NOT_INITIALIZED;
    if (!device_at(ordinal)) return INVALID_DEVICE;
    return *device = ordinal, SUCCESS;
}
EXPORT CUresult cuDeviceGetName(char* name, int length, int device) {
    if (!device_at(device)) return INVALID_DEVICE;
    return snprintf(name, length, "Shim GPU"), SUCCESS;
}
EXPORT CUresult cuDeviceTotalMem_v2(size_t* bytes, int device) {
    if (!device_at(device)) return INVALID_DEVICE;
    return *bytes = driver().capacity, SUCCESS;
}
EXPORT CUresult cuDeviceGetUuid_v2(char* uuid, int device) {
    if (!device_at(device)) return INVALID_DEVICE;
    memcpy(uuid, "genesis shim gpu", 16);
    uuid[15] = char('0' + device);
    return SUCCESS;
}
EXPORT CUresult cuDeviceGetUuid(char* uuid, int device) { return cuDeviceGetUuid_v2(uuid, device); }
EXPORT CUresult cuDeviceGetPCIBusId(char* text, int length, int device) {
    if (!device_at(device)) return INVALID_DEVICE;
    return snprintf(text, length, "0000:%02X:00.0", device), SUCCESS;
}
EXPORT CUresult cuDeviceCanAccessPeer(int* can, int, int) { return *can = 1, SUCCESS; }
EXPORT CUresult cuCtxEnablePeerAccess(void*, unsigned) { return SUCCESS; }
EXPORT CUresult cuCtxDisablePeerAccess(void*) { return SUCCESS; }

EXPORT CUresult cuDeviceGetAttribute(int* value, int attribute, int device) {
    if (!device_at(device)) return INVALID_DEVICE;
    // By the driver's numbers; what is not listed is something that this device has not.
    static const std::map<int, int> VALUES = {
        {1, 1024}, {2, 1024}, {3, 1024}, {4, 64},                   // threads of a block, and along x y z
        {5, 2147483647}, {6, 65535}, {7, 65535},                    // blocks along x y z
        {8, 49152}, {9, 65536}, {10, 32}, {11, 2147483647},         // shared, constant, warp, pitch
        {12, 65536}, {13, 1980000}, {14, 512}, {15, 1},             // registers, kHz, texture alignment, overlap
        {19, 1}, {30, 512}, {31, 1}, {33, device}, {36, 2619000},   // maps host memory, concurrent kernels
        {37, 5120}, {38, 52428800}, {39, 2048}, {40, 3}, {41, 1},   // bus width, L2, threads of a multiprocessor
        {75, 9}, {76, 0}, {78, 1}, {79, 1}, {80, 1},                // compute capability 9.0
        {81, 233472}, {82, 65536}, {83, 1}, {86, 0}, {87, 2},       // of a multiprocessor: shared, registers
        {90, 1}, {91, 1}, {95, 1}, {97, int(SHIM_SHARED_BYTES)},    // opt-in shared memory of a block
        {99, 1}, {102, 1}, {106, 32}, {111, 1024}, {115, 1},        // mapped pages, blocks of a multiprocessor, pools
    };
    if (attribute == 16) return *value = driver().multiprocessors, SUCCESS;
    const auto found = VALUES.find(attribute);
    return *value = found == VALUES.end() ? 0 : found->second, SUCCESS;
}

EXPORT CUresult cuDevicePrimaryCtxRetain(Device** context, int device) {
    Device* found = device_at(device);
    if (!found) return INVALID_DEVICE;
    ++found->retained;
    return *context = found, SUCCESS;
}
EXPORT CUresult cuDevicePrimaryCtxRelease_v2(int device) {
    Device* found = device_at(device);
    if (!found) return INVALID_DEVICE;
    if (found->retained == 0) return INVALID_CONTEXT;
    if (--found->retained == 0) {
        drain_all(found);
        unload_modules(device);
    }
    return SUCCESS;
}
EXPORT CUresult cuDevicePrimaryCtxReset_v2(int) { return NOT_SUPPORTED; }
EXPORT CUresult cuDevicePrimaryCtxSetFlags_v2(int, unsigned) { return SUCCESS; }
EXPORT CUresult cuDevicePrimaryCtxGetState(int device, unsigned* flags, int* active) {
    Device* found = device_at(device);
    if (!found) return INVALID_DEVICE;
    return *flags = 0, *active = found->retained > 0, SUCCESS;
}

EXPORT CUresult cuCtxSetCurrent(Device* context) {
    if (!driver().is_initialized) return NOT_INITIALIZED;
    if (!contexts.empty()) contexts.pop_back();
    if (context) contexts.push_back(context);
    return SUCCESS;
}
EXPORT CUresult cuCtxGetCurrent(Device** context) {
    if (!driver().is_initialized) return NOT_INITIALIZED;
    return *context = current(), SUCCESS;
}
EXPORT CUresult cuCtxPushCurrent_v2(Device* context) {
    if (!context) return INVALID_CONTEXT;
    return contexts.push_back(context), SUCCESS;
}
EXPORT CUresult cuCtxPopCurrent_v2(Device** context) {
    if (contexts.empty()) return INVALID_CONTEXT;
    if (context) *context = contexts.back();
    return contexts.pop_back(), SUCCESS;
}
EXPORT CUresult cuCtxGetDevice(int* device) {
    if (!current()) return INVALID_CONTEXT;
    return *device = current()->ordinal, SUCCESS;
}
EXPORT CUresult cuCtxSynchronize() {
    if (int error = ready()) return error;
    return drain_all(current());
}
EXPORT CUresult cuCtxGetStreamPriorityRange(int* least, int* greatest) {
    return *least = 0, *greatest = -5, SUCCESS;
}
EXPORT CUresult cuCtxSetFlags(unsigned) { return ready(); }
EXPORT CUresult cuCtxGetFlags(unsigned* flags) { return *flags = 0, ready(); }
EXPORT CUresult cuCtxSetLimit(int, size_t) { return ready(); }
EXPORT CUresult cuCtxGetLimit(size_t* value, int) { return *value = 1024, ready(); }
EXPORT CUresult cuCtxSetCacheConfig(int) { return ready(); }
EXPORT CUresult cuCtxGetCacheConfig(int* config) { return *config = 0, ready(); }
EXPORT CUresult cuCtxGetApiVersion(void*, unsigned* version) { return *version = 13000, SUCCESS; }
EXPORT CUresult cuCtxGetId(Device* context, unsigned long long* id) {
    return *id = context ? context->ordinal + 1 : 0, SUCCESS;
}
EXPORT CUresult cuProfilerStart() { return SUCCESS; }
EXPORT CUresult cuProfilerStop() { return SUCCESS; }
/// The real NVRTC asks for a table of the driver's private functions, and takes no for an answer.
EXPORT CUresult cuGetExportTable(const void** table, const void*) { return *table = nullptr, NOT_FOUND; }
EXPORT CUresult cuGetProcAddress_v2(const char* name, void** function, int, uint64_t, int* status) {
    *function = dlsym(RTLD_DEFAULT, name);
    if (status) *status = *function ? 0 : 1;
    return *function ? SUCCESS : NOT_FOUND;
}

namespace {
struct Named {
    int code;
    const char *name, *text;
};
const Named ERRORS[] = {
    {SUCCESS, "CUDA_SUCCESS", "no error"},
    {INVALID_VALUE, "CUDA_ERROR_INVALID_VALUE", "invalid argument"},
    {OUT_OF_MEMORY, "CUDA_ERROR_OUT_OF_MEMORY", "out of memory"},
    {NOT_INITIALIZED, "CUDA_ERROR_NOT_INITIALIZED", "initialization error"},
    {NO_DEVICE, "CUDA_ERROR_NO_DEVICE", "no CUDA-capable device is detected"},
    {INVALID_DEVICE, "CUDA_ERROR_INVALID_DEVICE", "invalid device ordinal"},
    {INVALID_CONTEXT, "CUDA_ERROR_INVALID_CONTEXT", "invalid device context"},
    {NO_BINARY_FOR_GPU, "CUDA_ERROR_NO_BINARY_FOR_GPU", "no kernel image is available for execution on the device"},
    {INVALID_HANDLE, "CUDA_ERROR_INVALID_HANDLE", "invalid resource handle"},
    {NOT_FOUND, "CUDA_ERROR_NOT_FOUND", "named symbol not found"},
    {NOT_READY, "CUDA_ERROR_NOT_READY", "device not ready"},
    {ILLEGAL_ADDRESS, "CUDA_ERROR_ILLEGAL_ADDRESS", "an illegal memory access was encountered"},
    {LAUNCH_OUT_OF_RESOURCES, "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES", "too many resources requested for launch"},
    {LAUNCH_TIMEOUT, "CUDA_ERROR_LAUNCH_TIMEOUT", "the launch timed out and was terminated"},
    {ASSERT, "CUDA_ERROR_ASSERT", "device-side assert triggered"},
    {MISALIGNED_ADDRESS, "CUDA_ERROR_MISALIGNED_ADDRESS", "misaligned address"},
    {LAUNCH_FAILED, "CUDA_ERROR_LAUNCH_FAILED", "unspecified launch failure"},
    {NOT_SUPPORTED, "CUDA_ERROR_NOT_SUPPORTED", "operation not supported"},
    {STREAM_CAPTURE_UNSUPPORTED, "CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED", "operation not permitted when stream is capturing"},
    {STREAM_CAPTURE_INVALIDATED, "CUDA_ERROR_STREAM_CAPTURE_INVALIDATED", "operation failed due to a previous error during capture"},
    {STREAM_CAPTURE_UNMATCHED, "CUDA_ERROR_STREAM_CAPTURE_UNMATCHED", "capture was not ended in the same stream as it began"},
    {STREAM_CAPTURE_IMPLICIT, "CUDA_ERROR_STREAM_CAPTURE_IMPLICIT", "operation would make the legacy stream depend on a capturing blocking stream"},
    {CAPTURED_EVENT, "CUDA_ERROR_CAPTURED_EVENT", "operation not permitted on an event last recorded in a capturing stream"},
    {UNKNOWN, "CUDA_ERROR_UNKNOWN", "unknown error"},
};
}  // namespace

EXPORT CUresult cuGetErrorName(int code, const char** name) {
    for (const Named& error : ERRORS) {
        if (error.code == code) return *name = error.name, SUCCESS;
    }
    return *name = nullptr, INVALID_VALUE;
}
EXPORT CUresult cuGetErrorString(int code, const char** text) {
    for (const Named& error : ERRORS) {
        if (error.code == code) return *text = error.text, SUCCESS;
    }
    return *text = nullptr, INVALID_VALUE;
}
