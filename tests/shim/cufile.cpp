// A pretended libcufile: reads files into the driver's memory, never as much at once as it was asked for.
// Without nvidia-fs it has a way to a file only if it was told that it may go through the host's memory.

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>

#define EXPORT extern "C" __attribute__((visibility("default")))

int shim_is_device(uintptr_t address, size_t bytes);

namespace {

struct Error {
    int code, cuda;
};
constexpr int SUCCESS = 0, NOT_INITIALIZED = 5001, INVALID_VALUE = 5022, ALREADY_OPEN = 5026, NOT_SUPPORTED = 5030;
constexpr size_t AT_ONCE = (5u << 20) + 4096;

struct Descriptor {
    int kind;
    union {
        int number;
        void* pointer;
    } file;
    const void* operations;
};

struct File {
    int number;
};

bool may_pretend = true, is_open = false;

}  // namespace

EXPORT Error cuFileSetParameterBool(int parameter, bool value) {
    if (parameter != 1) return {INVALID_VALUE, 0};
    if (is_open) return {ALREADY_OPEN, 0};
    may_pretend = value;
    return {SUCCESS, 0};
}

EXPORT Error cuFileGetParameterBool(int parameter, bool* value) {
    if (parameter != 1) return {INVALID_VALUE, 0};
    *value = may_pretend;
    return {SUCCESS, 0};
}

EXPORT Error cuFileSetParameterString(int parameter, const char* text) {
    return {parameter == 2 && text && *text ? SUCCESS : INVALID_VALUE, 0};
}

EXPORT Error cuFileDriverOpen() {
    const bool was_open = is_open;
    is_open = true;
    return {was_open ? ALREADY_OPEN : SUCCESS, 0};
}

EXPORT Error cuFileHandleRegister(void** handle, Descriptor* about) {
    if (!is_open) return {NOT_INITIALIZED, 0};
    if (!handle || !about || about->kind != 1 || about->operations) return {INVALID_VALUE, 0};
    if (!may_pretend) return {NOT_SUPPORTED, 0};
    // Past the cache only whole sectors are read; here, anything is.
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", about->file.number);
    const int number = open(path, O_RDONLY | O_CLOEXEC);
    if (number < 0) return {INVALID_VALUE, 0};
    *handle = new File{number};
    return {SUCCESS, 0};
}

EXPORT void cuFileHandleDeregister(void* handle) {
    auto* file = static_cast<File*>(handle);
    close(file->number);
    delete file;
}

EXPORT ssize_t cuFileRead(void* handle, void* memory, size_t bytes, off_t place, off_t offset) {
    const auto to = reinterpret_cast<uintptr_t>(memory) + offset;
    if (!shim_is_device(to, bytes)) {
        fprintf(stderr, "shim: a file is read to %zu bytes at %#zx, which are not the device's\n", bytes, size_t(to));
        return -INVALID_VALUE;
    }
    return pread(static_cast<File*>(handle)->number, reinterpret_cast<void*>(to), std::min(bytes, AT_ONCE), place);
}
