// libcuda: pages of memory that are mapped into reserved addresses. A page is a piece of a file in
// memory, so that what was written through one address can be read through another.

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <utility>

#include "driver.h"

namespace shim {

namespace {

/// What the real driver says, whether the least or the best is asked for.
constexpr size_t PAGE = 2 << 20;
constexpr int PINNED = 1, DEVICE = 1, READ_WRITE = 3;
constexpr int FRESH_BYTE = 0xcd;

struct Location {
    int type, id;
};
struct Properties {
    int type, handle_types;
    Location location;
    void* windows;
    unsigned char flags[8];
};
struct Access {
    Location location;
    int flags;
};

bool is_whole(size_t bytes) { return bytes > 0 && bytes % PAGE == 0; }
bool is_known(const Properties* p) {
    return p && p->type == PINNED && p->location.type == DEVICE && p->location.id >= 0 &&
           size_t(p->location.id) < driver().devices.size();
}

/// Addresses that fault until something is mapped there.
void* reserve(void* at, size_t bytes, int flags) {
    return mmap(at, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | flags, -1, 0);
}

/// The reservation that has all of these addresses, or none.
bool is_reserved(Pointer address, size_t bytes) {
    auto found = driver().reservations.upper_bound(address);
    if (found == driver().reservations.begin()) return false;
    --found;
    const size_t inside = address - found->first;
    return inside < found->second && bytes <= found->second - inside;
}

/// Whether mappings tile these addresses: begin at the first, end at the last, without a hole.
bool is_tiled(Pointer address, size_t bytes) {
    const Pointer end = address + bytes;
    while (address < end) {
        const auto found = driver().mappings.find(address);
        if (found == driver().mappings.end()) return false;
        address += found->second.as_allocation.bytes;
    }
    return address == end;
}

/// Memory goes when its creator has let go of it and no address shows it.
void drop_if_unused(uint64_t handle) {
    Driver& d = driver();
    const auto found = d.physical.find(handle);
    if (!found->second.is_released || found->second.mappings > 0) return;
    d.devices[found->second.device]->used -= found->second.bytes;
    close(found->second.file);
    d.physical.erase(found);
}

}  // namespace

const Allocation* mapped_holder(Pointer address, size_t bytes, Pointer* base) {
    Driver& d = driver();
    auto found = d.mappings.upper_bound(address);
    if (found == d.mappings.begin()) return nullptr;
    --found;
    const Mapping& first = found->second;
    if (base) *base = found->first;
    // An access may go over several mappings that follow each other.
    const Pointer end = address + bytes;
    for (Pointer at = found->first; found != d.mappings.end() && found->first == at; ++found) {
        if (!found->second.has_access) return nullptr;
        at += found->second.as_allocation.bytes;
        if (address >= at || end < address) return nullptr;
        if (end <= at) return &first.as_allocation;
    }
    return nullptr;
}

const char* describe_pages(Pointer address) {
    if (!is_reserved(address, 1)) return nullptr;
    const auto after = driver().mappings.upper_bound(address);
    if (after == driver().mappings.begin()) return "at a reserved address where no page is mapped";
    const auto& [begin, mapping] = *std::prev(after);
    if (address - begin >= mapping.as_allocation.bytes) return "at a reserved address where no page is mapped";
    return mapping.has_access ? "in a mapped page, but not all of it" : "in a mapped page without access";
}

}  // namespace shim

using namespace shim;

EXPORT CUresult cuMemGetAllocationGranularity(size_t* out, const Properties* properties, int option) {
    if (!driver().is_initialized) return NOT_INITIALIZED;
    if (!is_known(properties) || option < 0 || option > 1) return INVALID_VALUE;
    return *out = PAGE, SUCCESS;
}

EXPORT CUresult cuMemAddressReserve(Pointer* out, size_t bytes, size_t alignment, Pointer, uint64_t flags) {
    if (int error = ready()) return error;
    const bool is_power = (alignment & (alignment - 1)) == 0;
    if (!is_whole(bytes) || !is_power || flags) return INVALID_VALUE;
    alignment = std::max(alignment, PAGE);
    if (bytes + alignment < bytes) return OUT_OF_MEMORY;
    std::lock_guard lock(driver().state);
    // The kernel aligns to its own pages: take more and give the ends back.
    void* memory = reserve(nullptr, bytes + alignment, 0);
    if (memory == MAP_FAILED) return OUT_OF_MEMORY;
    const Pointer begin = Pointer(memory), aligned = (begin + alignment - 1) / alignment * alignment;
    if (aligned > begin) munmap(memory, aligned - begin);
    if (begin + alignment > aligned) munmap(reinterpret_cast<void*>(aligned + bytes), begin + alignment - aligned);
    driver().reservations[aligned] = bytes;
    return *out = aligned, SUCCESS;
}

EXPORT CUresult cuMemAddressFree(Pointer address, size_t bytes) {
    if (int error = ready()) return error;
    std::lock_guard lock(driver().state);
    Driver& d = driver();
    const auto found = d.reservations.find(address);
    if (found == d.reservations.end() || found->second != bytes) return INVALID_VALUE;
    const auto mapped = d.mappings.lower_bound(address);
    if (mapped != d.mappings.end() && mapped->first < address + bytes) return INVALID_VALUE;
    d.reservations.erase(found);
    munmap(reinterpret_cast<void*>(address), bytes);
    return SUCCESS;
}

EXPORT CUresult cuMemCreate(uint64_t* out, size_t bytes, const Properties* properties, uint64_t flags) {
    if (int error = ready()) return error;
    if (!is_known(properties) || !is_whole(bytes) || flags) return INVALID_VALUE;
    std::lock_guard lock(driver().state);
    Device& device = *driver().devices[properties->location.id];
    if (bytes > available(device)) device.pool.kept = 0;
    if (bytes > available(device)) return OUT_OF_MEMORY;
    const int file = memfd_create("shim", MFD_CLOEXEC);
    if (file < 0) return OUT_OF_MEMORY;
    if (ftruncate(file, off_t(bytes))) return close(file), OUT_OF_MEMORY;
    device.used += bytes;
    *out = ++driver().last_physical;
    driver().physical[*out] = {bytes, device.ordinal, file, 0, false, true};
    return SUCCESS;
}

EXPORT CUresult cuMemRelease(uint64_t handle) {
    if (!driver().is_initialized) return NOT_INITIALIZED;
    std::lock_guard lock(driver().state);
    const auto found = driver().physical.find(handle);
    if (found == driver().physical.end() || found->second.is_released) return INVALID_VALUE;
    found->second.is_released = true;
    drop_if_unused(handle);
    return SUCCESS;
}

EXPORT CUresult cuMemMap(Pointer address, size_t bytes, size_t offset, uint64_t handle, uint64_t flags) {
    if (int error = ready()) return error;
    if (!is_whole(bytes) || address % PAGE || offset || flags) return INVALID_VALUE;
    std::lock_guard lock(driver().state);
    Driver& d = driver();
    const auto found = d.physical.find(handle);
    if (found == d.physical.end() || found->second.is_released || !is_reserved(address, bytes)) return INVALID_VALUE;
    Physical& memory = found->second;
    if (bytes != memory.bytes) return INVALID_VALUE;
    const auto after = d.mappings.lower_bound(address + bytes);
    if (after != d.mappings.begin()) {
        const auto& [begin, mapping] = *std::prev(after);
        if (begin + mapping.as_allocation.bytes > address) return INVALID_VALUE;
    }
    void* at = reinterpret_cast<void*>(address);
    if (mmap(at, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, memory.file, 0) == MAP_FAILED) return OUT_OF_MEMORY;
    if (std::exchange(memory.is_fresh, false)) memset(at, FRESH_BYTE, std::min(bytes, PAGE));
    mprotect(at, bytes, PROT_NONE);
    memory.mappings++;
    d.mappings[address] = {{bytes, memory.device, false, nullptr}, handle, false};
    return SUCCESS;
}

EXPORT CUresult cuMemSetAccess(Pointer address, size_t bytes, const Access* access, size_t count) {
    if (int error = ready()) return error;
    std::lock_guard lock(driver().state);
    if (!access || count == 0 || bytes == 0 || !is_tiled(address, bytes)) return INVALID_VALUE;
    Driver& d = driver();
    for (size_t i = 0; i < count; i++) {
        const bool is_known = access[i].location.type == DEVICE && size_t(access[i].location.id) < d.devices.size();
        if (!is_known || (access[i].flags != 0 && access[i].flags != READ_WRITE)) return INVALID_VALUE;
    }
    // All devices are one memory here: the last word counts.
    const bool has_access = access[count - 1].flags == READ_WRITE;
    mprotect(reinterpret_cast<void*>(address), bytes, has_access ? PROT_READ | PROT_WRITE : PROT_NONE);
    for (auto at = d.mappings.find(address); at != d.mappings.end() && at->first < address + bytes; ++at) {
        at->second.has_access = has_access;
    }
    ++losses;
    return SUCCESS;
}

/// Does not wait for work: who unmaps what a kernel still uses finds out.
EXPORT CUresult cuMemUnmap(Pointer address, size_t bytes) {
    if (int error = ready()) return error;
    if (int error = unsafe_in_capture()) return error;
    std::lock_guard lock(driver().state);
    if (bytes == 0 || !is_tiled(address, bytes)) return INVALID_VALUE;
    Driver& d = driver();
    if (reserve(reinterpret_cast<void*>(address), bytes, MAP_FIXED) == MAP_FAILED) return OUT_OF_MEMORY;
    for (auto at = d.mappings.find(address); at != d.mappings.end() && at->first < address + bytes;) {
        const uint64_t handle = at->second.handle;
        at = d.mappings.erase(at);
        ++losses;
        d.physical[handle].mappings--;
        drop_if_unused(handle);
    }
    return SUCCESS;
}
