// libcuda: memory over malloc, its pools, copies and fills.

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "driver.h"

namespace shim {

namespace {

/// What a context takes for itself.
constexpr uint64_t CONTEXT_BYTES = 16 << 20;
constexpr size_t GRANULE = 512;
/// Fresh memory up to this size is filled with garbage, as the real one holds somebody's old data.
constexpr size_t GARBAGE_BYTES = 4 << 20;

int allocate(Device* device, Pool* pool, size_t bytes, Pointer* out) {
    Driver& d = driver();
    if (bytes == 0) return INVALID_VALUE;
    const size_t rounded = (bytes + GRANULE - 1) / GRANULE * GRANULE;
    if (rounded < bytes) return OUT_OF_MEMORY;
    if (pool) {
        const uint64_t reused = std::min<uint64_t>(pool->kept, rounded);
        if (rounded - reused > available(*device)) return OUT_OF_MEMORY;
        pool->kept -= reused;
        pool->used += rounded;
        pool->used_high = std::max(pool->used_high, pool->used);
        pool->reserved_high = std::max(pool->reserved_high, pool->used + pool->kept);
    } else {
        if (rounded > available(*device)) device->pool.kept = 0;
        if (rounded > available(*device)) return OUT_OF_MEMORY;
    }
    // The size asked for, not the rounded one, so that what lies behind it is not ours.
    void* memory = nullptr;
    if (posix_memalign(&memory, GRANULE, bytes)) return OUT_OF_MEMORY;
    if (bytes <= GARBAGE_BYTES || d.is_poisoned) memset(memory, 0xcd, bytes);
    device->used += rounded;
    *out = reinterpret_cast<Pointer>(memory);
    d.allocations[*out] = {bytes, device->ordinal, false, pool};
    return SUCCESS;
}

int release(Pointer address, bool is_host) {
    Driver& d = driver();
    const auto found = d.allocations.find(address);
    if (found == d.allocations.end() || found->second.is_host != is_host) return INVALID_VALUE;
    const Allocation gone = found->second;
    const size_t rounded = (gone.bytes + GRANULE - 1) / GRANULE * GRANULE;
    if (!is_host) d.devices[gone.device]->used -= rounded;
    if (gone.pool) gone.pool->used -= rounded, gone.pool->kept += rounded;
    d.allocations.erase(found);
    ++losses;
    memset(reinterpret_cast<void*>(address), 0xdd, std::min(gone.bytes, GARBAGE_BYTES));
    free(reinterpret_cast<void*>(address));
    return SUCCESS;
}

bool is_device(Pointer address, size_t bytes) {
    std::lock_guard lock(driver().state);
    return holder(address, bytes) != nullptr;
}

int refuse(const char* what, Pointer address, size_t bytes) {
    fprintf(stderr, "shim: %s %zu bytes at %#zx: %s\n", what, bytes, size_t(address),
            describe(address).c_str());
    return INVALID_VALUE;
}

/// Work that comes to its turn when its memory is no longer mapped.
int vanished(const char* what, Pointer address, size_t bytes) {
    refuse(what, address, bytes);
    return ILLEGAL_ADDRESS;
}

bool is_pinned(const void* memory, size_t bytes) {
    return is_device(reinterpret_cast<Pointer>(memory), bytes);
}

int to_device(Pointer to, const void* from, size_t bytes, Stream* stream) {
    if (bytes == 0) return SUCCESS;
    if (!is_device(to, bytes)) return refuse("copy to the device:", to, bytes);
    if (is_pinned(from, bytes)) {
        return submit(stream, [=] {
            if (!is_device(to, bytes)) return vanished("copy to the device:", to, bytes);
            return memcpy(reinterpret_cast<void*>(to), from, bytes), int(SUCCESS);
        });
    }
    // Pageable memory may change once the call is back, so the driver takes a copy.
    auto staged = std::make_shared<std::vector<char>>(static_cast<const char*>(from),
                                                      static_cast<const char*>(from) + bytes);
    return submit(stream, [=] {
        if (!is_device(to, bytes)) return vanished("copy to the device:", to, bytes);
        return memcpy(reinterpret_cast<void*>(to), staged->data(), bytes), int(SUCCESS);
    });
}

int to_host(void* to, Pointer from, size_t bytes, Stream* stream) {
    if (bytes == 0) return SUCCESS;
    if (!is_device(from, bytes)) return refuse("copy from the device:", from, bytes);
    const int error = submit(stream, [=] {
        if (!is_device(from, bytes)) return vanished("copy from the device:", from, bytes);
        return memcpy(to, reinterpret_cast<const void*>(from), bytes), int(SUCCESS);
    });
    // A copy into pageable memory is over when the call comes back.
    return error || is_pinned(to, bytes) || stream->capture ? error : drain(stream, stream->issued);
}

int on_device(Pointer to, Pointer from, size_t bytes, Stream* stream) {
    if (bytes == 0) return SUCCESS;
    if (!is_device(to, bytes)) return refuse("copy to the device:", to, bytes);
    if (!is_device(from, bytes)) return refuse("copy from the device:", from, bytes);
    return submit(stream, [=] {
        if (!is_device(to, bytes)) return vanished("copy to the device:", to, bytes);
        if (!is_device(from, bytes)) return vanished("copy from the device:", from, bytes);
        return memmove(reinterpret_cast<void*>(to), reinterpret_cast<const void*>(from), bytes), int(SUCCESS);
    });
}

template <typename T>
int fill(Pointer to, T value, size_t count, Stream* stream) {
    if (count == 0) return SUCCESS;
    if (to % sizeof(T)) return INVALID_VALUE;
    if (!is_device(to, count * sizeof(T))) return refuse("fill:", to, count * sizeof(T));
    return submit(stream, [=] {
        if (!is_device(to, count * sizeof(T))) return vanished("fill:", to, count * sizeof(T));
        std::fill_n(reinterpret_cast<T*>(to), count, value);
        return int(SUCCESS);
    });
}

/// The stream of a call, or the error that the call returns.
int enter(void* handle, Stream*& stream) {
    if (int error = ready()) return error;
    stream = stream_of(handle);
    return stream ? SUCCESS : INVALID_HANDLE;
}

}  // namespace

uint64_t available(const Device& device) {
    const uint64_t taken = CONTEXT_BYTES + device.used + device.pool.kept;
    const uint64_t capacity = driver().capacity;
    return taken < capacity ? capacity - taken : 0;
}

const Allocation* holder(Pointer address, size_t bytes, Pointer* base) {
    Driver& d = driver();
    auto found = d.allocations.upper_bound(address);
    if (found != d.allocations.begin()) {
        --found;
        const size_t inside = address - found->first;
        if (inside < found->second.bytes && bytes <= found->second.bytes - inside) {
            if (base) *base = found->first;
            return &found->second;
        }
    }
    return mapped_holder(address, bytes, base);
}

std::string describe(Pointer address) {
    Driver& d = driver();
    std::lock_guard lock(d.state);
    if (const char* why = describe_pages(address)) return why;
    auto found = d.allocations.upper_bound(address);
    char text[160];
    if (found != d.allocations.begin()) {
        --found;
        const size_t inside = address - found->first;
        if (inside <= found->second.bytes + (1 << 20)) {
            snprintf(text, sizeof text, "byte %zu of an allocation of %zu bytes", inside, found->second.bytes);
            return text;
        }
        ++found;
    }
    if (found != d.allocations.end() && found->first - address <= (1 << 20)) {
        snprintf(text, sizeof text, "%zu bytes before an allocation of %zu bytes",
                 size_t(found->first - address), found->second.bytes);
        return text;
    }
    return "in no allocation";
}

}  // namespace shim

using namespace shim;

/// For libraries that write to memory by themselves.
__attribute__((visibility("default"))) int shim_is_device(Pointer address, size_t bytes) {
    return is_device(address, bytes);
}

EXPORT CUresult cuMemGetInfo_v2(size_t* free_bytes, size_t* total) {
    if (int error = ready()) return error;
    std::lock_guard lock(driver().state);
    *total = driver().capacity;
    *free_bytes = available(*current());
    return SUCCESS;
}

EXPORT CUresult cuMemAlloc_v2(Pointer* out, size_t bytes) {
    if (int error = ready()) return error;
    if (int error = unsafe_in_capture()) return error;
    std::lock_guard lock(driver().state);
    return allocate(current(), nullptr, bytes, out);
}
EXPORT CUresult cuMemAllocManaged(Pointer* out, size_t bytes, unsigned) { return cuMemAlloc_v2(out, bytes); }

EXPORT CUresult cuMemFree_v2(Pointer address) {
    if (address == 0) return SUCCESS;
    if (int error = ready()) return error;
    if (int error = unsafe_in_capture()) return error;
    // The real call waits for the device.
    if (int error = drain_all(current())) return error;
    std::lock_guard lock(driver().state);
    return release(address, false);
}

EXPORT CUresult cuMemAllocFromPoolAsync(Pointer* out, size_t bytes, Pool* pool, void* handle) {
    Stream* stream;
    if (int error = enter(handle, stream)) return error;
    if (stream->capture) return NOT_SUPPORTED;
    Device* device = driver().devices[pool->device].get();
    for (bool is_again : {false, true}) {
        if (is_again) drain_all(device);
        std::lock_guard lock(driver().state);
        const int error = allocate(device, pool, bytes, out);
        if (error != OUT_OF_MEMORY) return error;
    }
    return OUT_OF_MEMORY;
}
EXPORT CUresult cuMemAllocAsync(Pointer* out, size_t bytes, void* handle) {
    if (int error = ready()) return error;
    return cuMemAllocFromPoolAsync(out, bytes, &current()->pool, handle);
}
EXPORT CUresult cuMemFreeAsync(Pointer address, void* handle) {
    Stream* stream;
    if (int error = enter(handle, stream)) return error;
    if (stream->capture) return NOT_SUPPORTED;
    if (!is_device(address, 1)) return refuse("free", address, 0);
    return submit(stream, [=] {
        std::lock_guard lock(driver().state);
        return release(address, false);
    });
}

EXPORT CUresult cuDeviceGetDefaultMemPool(Pool** pool, int device) {
    if (size_t(device) >= driver().devices.size()) return INVALID_DEVICE;
    return *pool = &driver().devices[device]->pool, SUCCESS;
}
EXPORT CUresult cuDeviceGetMemPool(Pool** pool, int device) { return cuDeviceGetDefaultMemPool(pool, device); }
EXPORT CUresult cuDeviceSetMemPool(int, Pool*) { return SUCCESS; }
EXPORT CUresult cuMemPoolCreate(Pool** pool, const void*) {
    if (int error = ready()) return error;
    *pool = new Pool{current()->ordinal};
    return SUCCESS;
}
EXPORT CUresult cuMemPoolDestroy(Pool* pool) {
    if (pool->used) return INVALID_VALUE;
    delete pool;
    return SUCCESS;
}
EXPORT CUresult cuMemPoolTrimTo(Pool* pool, size_t bytes) {
    std::lock_guard lock(driver().state);
    const uint64_t keep = bytes > pool->used ? bytes - pool->used : 0;
    pool->kept = std::min(pool->kept, keep);
    return SUCCESS;
}
EXPORT CUresult cuMemPoolSetAttribute(Pool* pool, int attribute, void* value) {
    std::lock_guard lock(driver().state);
    if (attribute >= 1 && attribute <= 3) return pool->flags[attribute - 1] = *static_cast<int*>(value), SUCCESS;
    if (attribute == 4) return pool->threshold = *static_cast<uint64_t*>(value), SUCCESS;
    if (attribute == 6) return pool->reserved_high = pool->used + pool->kept, SUCCESS;
    if (attribute == 8) return pool->used_high = pool->used, SUCCESS;
    return INVALID_VALUE;
}
EXPORT CUresult cuMemPoolGetAttribute(Pool* pool, int attribute, void* value) {
    std::lock_guard lock(driver().state);
    if (attribute >= 1 && attribute <= 3) return *static_cast<int*>(value) = pool->flags[attribute - 1], SUCCESS;
    const uint64_t values[] = {pool->threshold, pool->used + pool->kept, pool->reserved_high, pool->used,
                               pool->used_high};
    if (attribute < 4 || attribute > 8) return INVALID_VALUE;
    return *static_cast<uint64_t*>(value) = values[attribute - 4], SUCCESS;
}

EXPORT CUresult cuMemHostAlloc(void** out, size_t bytes, unsigned) {
    if (int error = ready()) return error;
    if (bytes == 0) return INVALID_VALUE;
    if (posix_memalign(out, 4096, bytes)) return OUT_OF_MEMORY;
    memset(*out, 0xcd, std::min(bytes, GARBAGE_BYTES));
    std::lock_guard lock(driver().state);
    driver().allocations[reinterpret_cast<Pointer>(*out)] = {bytes, current()->ordinal, true, nullptr};
    return SUCCESS;
}
EXPORT CUresult cuMemAllocHost_v2(void** out, size_t bytes) { return cuMemHostAlloc(out, bytes, 0); }
EXPORT CUresult cuMemFreeHost(void* memory) {
    if (!driver().is_initialized) return NOT_INITIALIZED;
    if (current()) drain_all(current());
    std::lock_guard lock(driver().state);
    return release(reinterpret_cast<Pointer>(memory), true);
}
EXPORT CUresult cuMemHostGetDevicePointer_v2(Pointer* out, void* memory, unsigned) {
    const Pointer address = reinterpret_cast<Pointer>(memory);
    if (!is_device(address, 1)) return INVALID_VALUE;
    return *out = address, SUCCESS;
}
EXPORT CUresult cuMemGetAddressRange_v2(Pointer* base, size_t* bytes, Pointer address) {
    std::lock_guard lock(driver().state);
    Pointer start;
    if (const Allocation* mapped = mapped_holder(address, 1, &start)) {
        if (base) *base = start;
        if (bytes) *bytes = mapped->bytes;
        return SUCCESS;
    }
    if (!holder(address, 1)) return NOT_FOUND;
    const auto found = std::prev(driver().allocations.upper_bound(address));
    if (base) *base = found->first;
    if (bytes) *bytes = found->second.bytes;
    return SUCCESS;
}
EXPORT CUresult cuPointerGetAttribute(void* out, int attribute, Pointer address) {
    std::lock_guard lock(driver().state);
    const Allocation* found = holder(address, 1);
    if (!found) return INVALID_VALUE;
    switch (attribute) {
        case 1: return *static_cast<void**>(out) = driver().devices[found->device].get(), SUCCESS;
        case 2: return *static_cast<unsigned*>(out) = found->is_host ? 1 : 2, SUCCESS;
        case 3: case 4: return *static_cast<Pointer*>(out) = address, SUCCESS;
        case 8: return *static_cast<unsigned*>(out) = 0, SUCCESS;
        case 9: return *static_cast<int*>(out) = found->device, SUCCESS;
        default: return NOT_SUPPORTED;
    }
}

EXPORT CUresult cuMemcpyHtoDAsync_v2(Pointer to, const void* from, size_t bytes, void* handle) {
    Stream* stream;
    if (int error = enter(handle, stream)) return error;
    return to_device(to, from, bytes, stream);
}
EXPORT CUresult cuMemcpyDtoHAsync_v2(void* to, Pointer from, size_t bytes, void* handle) {
    Stream* stream;
    if (int error = enter(handle, stream)) return error;
    return to_host(to, from, bytes, stream);
}
EXPORT CUresult cuMemcpyDtoDAsync_v2(Pointer to, Pointer from, size_t bytes, void* handle) {
    Stream* stream;
    if (int error = enter(handle, stream)) return error;
    return on_device(to, from, bytes, stream);
}
EXPORT CUresult cuMemcpyPeerAsync(Pointer to, void*, Pointer from, void*, size_t bytes, void* handle) {
    return cuMemcpyDtoDAsync_v2(to, from, bytes, handle);
}

namespace {
/// The calls without a stream go to the null stream and come back when they are done.
template <typename Call>
int at_once(Call call) {
    Stream* stream;
    if (int error = enter(nullptr, stream)) return error;
    if (int error = unsafe_in_capture()) return error;
    if (int error = call(stream)) return error;
    return drain(stream, stream->issued);
}
}  // namespace

EXPORT CUresult cuMemcpyHtoD_v2(Pointer to, const void* from, size_t bytes) {
    return at_once([=](Stream* stream) { return to_device(to, from, bytes, stream); });
}
EXPORT CUresult cuMemcpyDtoH_v2(void* to, Pointer from, size_t bytes) {
    return at_once([=](Stream* stream) { return to_host(to, from, bytes, stream); });
}
EXPORT CUresult cuMemcpyDtoD_v2(Pointer to, Pointer from, size_t bytes) {
    return at_once([=](Stream* stream) { return on_device(to, from, bytes, stream); });
}
EXPORT CUresult cuMemcpyPeer(Pointer to, void*, Pointer from, void*, size_t bytes) {
    return cuMemcpyDtoD_v2(to, from, bytes);
}

#define FILLS(bits, T)                                                                         \
    EXPORT CUresult cuMemsetD##bits##Async(Pointer to, T value, size_t count, void* handle) {  \
        Stream* stream;                                                                        \
        if (int error = enter(handle, stream)) return error;                                   \
        return fill<T>(to, value, count, stream);                                              \
    }                                                                                          \
    EXPORT CUresult cuMemsetD##bits##_v2(Pointer to, T value, size_t count) {                  \
        return at_once([=](Stream* stream) { return fill<T>(to, value, count, stream); });     \
    }
FILLS(8, unsigned char)
FILLS(16, unsigned short)
FILLS(32, unsigned)
