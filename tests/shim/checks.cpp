#include "checks.h"

#include <cstdio>

#include "driver.h"

namespace shim {

namespace {

const ShimModule* module_of_kernel;
unsigned dynamic_size;

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

void check(Pointer address, size_t bytes, const char* verb) {
    if (!is_running()) return;
    Driver& d = driver();
    if (module_of_kernel &&
        is_within(address, bytes, module_of_kernel->image_begin, module_of_kernel->image_end)) {
        return;
    }
    const char* stack;
    size_t stack_bytes;
    current_stack(stack, stack_bytes);
    if (is_within(address, bytes, stack, stack + stack_bytes)) return;
    if (is_within(address, bytes, shim_dynamic, shim_dynamic + dynamic_size)) return;
    if (is_within(address, bytes, &shim_state, &shim_state + 1)) return;
    {
        std::lock_guard lock(d.state);
        if (holder(address, bytes)) return;
    }
    char text[256];
    if (is_within(address, 1, shim_dynamic, shim_dynamic + SHIM_SHARED_BYTES)) {
        snprintf(text, sizeof text, "%s %zu bytes at byte %zu of %u bytes of dynamic shared memory", verb,
                 bytes, size_t(address - Pointer(shim_dynamic)), dynamic_size);
    } else {
        snprintf(text, sizeof text, "%s %zu bytes at %#zx: %s", verb, bytes, size_t(address),
                 describe(address).c_str());
    }
    shim_fail(ILLEGAL_ADDRESS, text);
}

}  // namespace

void expect_kernel(const ShimModule& module, unsigned dynamic_bytes) {
    module_of_kernel = &module;
    dynamic_size = dynamic_bytes;
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

#define ACCESSES(bytes)                                                                         \
    EXPORT void __asan_load##bytes(Pointer address) { check(address, bytes, "reads"); }         \
    EXPORT void __asan_store##bytes(Pointer address) { check(address, bytes, "writes"); }
ACCESSES(1)
ACCESSES(2)
ACCESSES(4)
ACCESSES(8)
ACCESSES(16)
EXPORT void __asan_loadN(Pointer address, size_t bytes) { check(address, bytes, "reads"); }
EXPORT void __asan_storeN(Pointer address, size_t bytes) { check(address, bytes, "writes"); }
EXPORT void __asan_handle_no_return() {}
