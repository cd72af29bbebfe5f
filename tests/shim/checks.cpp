#include "checks.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <iterator>

#include "driver.h"

namespace shim {

namespace {

const ShimModule* module_of_kernel;
unsigned dynamic_size;
const std::string* image_of_kernel;

/// Shared memory that is not dynamic: where each array begins, and its bytes.
std::map<Pointer, size_t> shared;

/// What accesses met last, of which the next ones mostly meet one again: as many as a kernel mostly has operands.
class Met {
    struct {
        Pointer begin = 0, end = 0;
    } ranges[4];
    unsigned oldest = 0;

public:
    bool holds(Pointer address, size_t bytes) const {
        for (const auto& range : ranges) {
            if (address >= range.begin && address + bytes <= range.end) return true;
        }
        return false;
    }
    void remember(Pointer begin, size_t bytes) {
        ranges[oldest] = {begin, begin + bytes};
        oldest = (oldest + 1) % std::size(ranges);
    }
} arrays_met, memory_met;
/// How much had been lost when memory was met.
uint64_t losses_then;

/// What g++ passes to its handlers.
struct Source {
    const char* file;
    unsigned line, column;
};
struct Type {
    uint16_t kind, info;
    char name[];
};
struct Mismatch {
    Source at;
    const Type* type;
    unsigned char log_alignment, kind;
};
struct OutOfBounds {
    Source at;
    const Type *array, *index;
};
struct Overflow {
    Source at;
    const Type* type;
};

[[noreturn]] void fail(int code, const Source& at, const std::string& what) {
    const std::string text = std::string(at.file) + "(" + std::to_string(at.line) + "): " + what;
    shim_fail(code, text.c_str());
}

bool is_within(Pointer address, size_t bytes, const void* begin, const void* end) {
    return address >= Pointer(begin) && address + bytes <= Pointer(end);
}

/// `file(line): ` of an instruction of the kernel, as addr2line knows it.
std::string line_of(void* instruction) {
    if (!image_of_kernel || image_of_kernel->empty()) return "";
    char path[] = "/tmp/shim-lines.XXXXXX";
    const int file = mkstemp(path);
    if (file < 0) return "";
    const bool is_whole =
        write(file, image_of_kernel->data(), image_of_kernel->size()) == ssize_t(image_of_kernel->size());
    close(file);
    char command[128], line[512] = "";
    snprintf(command, sizeof command, "LD_PRELOAD= addr2line -e %s %#zx", path,
             size_t(static_cast<char*>(instruction) - module_of_kernel->image_begin - 1));
    if (FILE* pipe = is_whole ? popen(command, "r") : nullptr) {
        if (!fgets(line, sizeof line, pipe)) line[0] = 0;
        pclose(pipe);
    }
    unlink(path);
    // `/some/where/name.cu:12 (discriminator 3)`
    std::string text = line;
    text = text.substr(0, text.find_first_of(" \n"));
    text = text.substr(text.find_last_of('/') + 1);
    const size_t colon = text.find(':');
    if (colon == std::string::npos || text[0] == '?') return "";
    return text.substr(0, colon) + "(" + text.substr(colon + 1) + "): ";
}

[[noreturn]] void refuse(void* instruction, int code, const std::string& what) {
    shim_fail(code, (line_of(instruction) + what).c_str());
}

bool is_in_array(Pointer address, size_t bytes) {
    if (arrays_met.holds(address, bytes)) return true;
    auto found = shared.upper_bound(address);
    if (found == shared.begin()) return false;
    const auto& [begin, size] = *--found;
    if (address + bytes > begin + size) return false;
    arrays_met.remember(begin, size);
    return true;
}

enum Access { READ, WRITE, ATOMIC };

[[gnu::noinline]] void check_global(Pointer address, size_t bytes, Access access, void* instruction) {
    if (is_within(address, bytes, &shim_state, &shim_state + 1)) return;
    {
        std::lock_guard lock(driver().state);
        Pointer base;
        if (const Allocation* found = holder(address, bytes, &base)) {
            if (losses_then != losses) memory_met = {};
            losses_then = losses;
            return memory_met.remember(base, found->bytes);
        }
    }
    char text[256];
    const char* verb = access == READ ? "reads" : "writes";
    if (is_within(address, 1, shim_dynamic, shim_dynamic + SHIM_SHARED_BYTES)) {
        snprintf(text, sizeof text, "%s %zu bytes at byte %zu of %u bytes of dynamic shared memory", verb,
                 bytes, size_t(address - Pointer(shim_dynamic)), dynamic_size);
    } else {
        snprintf(text, sizeof text, "%s %zu bytes at %#zx: %s", verb, bytes, size_t(address),
                 describe(address).c_str());
    }
    refuse(instruction, ILLEGAL_ADDRESS, text);
}

[[gnu::noinline]] void check_shared(
    size_t cell, Pointer address, size_t bytes, Access access, void* instruction) {
    if (access == ATOMIC) return;
    std::string wrong;
    if (race(cell, bytes, access == WRITE, reinterpret_cast<void*>(address), wrong)) {
        refuse(instruction, LAUNCH_FAILED, wrong);
    }
}

void check(Pointer address, size_t bytes, Access access, void* instruction) {
    if (!is_running()) return;
    const char* stack;
    size_t stack_bytes;
    current_stack(stack, stack_bytes);
    if (is_within(address, bytes, stack, stack + stack_bytes)) return;
    if (losses_then == losses && memory_met.holds(address, bytes)) return;
    if (is_within(address, bytes, shim_dynamic, shim_dynamic + dynamic_size)) {
        return check_shared(address - Pointer(shim_dynamic), address, bytes, access, instruction);
    }
    const char *image = module_of_kernel->image_begin, *image_end = module_of_kernel->image_end;
    if (!is_within(address, bytes, image, image_end)) {
        return check_global(address, bytes, access, instruction);
    }
    if (is_in_array(address, bytes)) {
        // One kernel runs at a time: those of other modules may have the same cells.
        const size_t cell = SHIM_SHARED_BYTES + (address - Pointer(image));
        check_shared(cell, address, bytes, access, instruction);
    }
}

}  // namespace

void expect_kernel(const ShimModule& module, unsigned dynamic_bytes, const std::string& image) {
    module_of_kernel = &module;
    dynamic_size = dynamic_bytes;
    image_of_kernel = &image;
}

void know_shared(const void* memory, size_t bytes) {
    const Pointer begin = Pointer(memory);
    const auto known = shared.find(begin);
    if (known != shared.end() && known->second == bytes) return;
    // What was here belonged to a module that is gone.
    auto old = shared.lower_bound(begin);
    if (old != shared.begin() && std::prev(old)->first + std::prev(old)->second > begin) --old;
    while (old != shared.end() && old->first < begin + bytes) old = shared.erase(old);
    shared[begin] = bytes;
    arrays_met = {};
}

}  // namespace shim

using namespace shim;

EXPORT void __ubsan_handle_type_mismatch_v1_abort(const Mismatch* data, Pointer address) {
    const unsigned alignment = 1u << data->log_alignment;
    char text[256];
    if (address == 0) {
        snprintf(text, sizeof text, "a null pointer to %s", data->type->name);
        fail(ILLEGAL_ADDRESS, data->at, text);
    }
    snprintf(text, sizeof text, "%#zx is not a multiple of %u, as %s must be", size_t(address), alignment,
             data->type->name);
    fail(MISALIGNED_ADDRESS, data->at, text);
}
EXPORT void __ubsan_handle_out_of_bounds_abort(const OutOfBounds* data, Pointer index) {
    char text[256];
    snprintf(text, sizeof text, "index %lld is outside of %s", (long long)index, data->array->name);
    fail(ILLEGAL_ADDRESS, data->at, text);
}
EXPORT void __ubsan_handle_divrem_overflow_abort(const Overflow* data, Pointer, Pointer) {
    fail(LAUNCH_FAILED, data->at, std::string("division by zero or overflow in ") + data->type->name);
}

#define INSTRUCTION __builtin_return_address(0)
#define ACCESSES(bytes)                                                                                 \
    EXPORT void __asan_load##bytes(Pointer address) { check(address, bytes, READ, INSTRUCTION); }      \
    EXPORT void __asan_store##bytes(Pointer address) { check(address, bytes, WRITE, INSTRUCTION); }
ACCESSES(1)
ACCESSES(2)
ACCESSES(4)
ACCESSES(8)
ACCESSES(16)
EXPORT void __asan_loadN(Pointer address, size_t bytes) { check(address, bytes, READ, INSTRUCTION); }
EXPORT void __asan_storeN(Pointer address, size_t bytes) { check(address, bytes, WRITE, INSTRUCTION); }
EXPORT void __asan_handle_no_return() {}
EXPORT void shim_check_atomic(const void* place, size_t bytes) {
    check(Pointer(place), bytes, ATOMIC, INSTRUCTION);
}
