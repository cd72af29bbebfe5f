// Runs the threads of one block after the other on fibers, so that barriers and warp operations
// can wait. One fiber runs thread after thread until one of them has to wait; only then is a second
// fiber made. A kernel without barriers therefore costs one call a thread.

#include "fibers.h"

#include <sys/mman.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <vector>

#include "checks.h"

extern "C" {
ShimState shim_state;
alignas(1024) char shim_dynamic[SHIM_SHARED_BYTES];
}

namespace shim {
namespace {

constexpr size_t STACK_BYTES = 256 << 10;
constexpr size_t FRAME = 32;
constexpr unsigned POISONED_BLOCKS = 8;
constexpr unsigned ALL_YIELDS = 50'000'000;

enum class At : uint8_t { Fresh, Running, Ready, Barrier, Warp, Done };

struct Fiber {
    void* stack_pointer;
    char* stack;
    int thread;
};

struct Thread {
    At at;
    bool predicate;
    ShimIndex index;
    Fiber* fiber;
    int op;
    unsigned mask, source;
    uint32_t last_operation;
    unsigned long long value, result;
};

struct Warp {
    unsigned live, waiting;
};

/// The block that runs. There is one, because one kernel runs at a time.
struct Block {
    const ShimKernel* kernel;
    void** arguments;
    std::vector<Thread> threads;
    std::vector<Warp> warps;
    std::vector<Fiber*> fibers, idle;
    /// The order in which the threads have their turns.
    std::vector<int> order;
    uint32_t blocks, barriers, operations;
    size_t declared;
    unsigned poisoned;
    unsigned fresh, live, at_barrier, votes, came, yields;
    int current;
    /// The stack of that thread.
    const char* stack;
    void* scheduler;
    int error;
    std::string why;
};

Block block;

}  // namespace

#if defined(__x86_64__)
asm(R"(
.text
.type shim_switch, @function
shim_switch:
    pushq %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    movq %rsp, (%rdi)
    movq %rsi, %rsp
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    ret
.size shim_switch, .-shim_switch
)");
constexpr size_t RETURN = 6;
#elif defined(__aarch64__)
asm(R"(
.text
.type shim_switch, %function
shim_switch:
    sub sp, sp, #160
    stp x19, x20, [sp, #0]
    stp x21, x22, [sp, #16]
    stp x23, x24, [sp, #32]
    stp x25, x26, [sp, #48]
    stp x27, x28, [sp, #64]
    stp x29, x30, [sp, #80]
    stp d8, d9, [sp, #96]
    stp d10, d11, [sp, #112]
    stp d12, d13, [sp, #128]
    stp d14, d15, [sp, #144]
    mov x2, sp
    str x2, [x0]
    mov sp, x1
    ldp x19, x20, [sp, #0]
    ldp x21, x22, [sp, #16]
    ldp x23, x24, [sp, #32]
    ldp x25, x26, [sp, #48]
    ldp x27, x28, [sp, #64]
    ldp x29, x30, [sp, #80]
    ldp d8, d9, [sp, #96]
    ldp d10, d11, [sp, #112]
    ldp d12, d13, [sp, #128]
    ldp d14, d15, [sp, #144]
    add sp, sp, #160
    ret
.size shim_switch, .-shim_switch
)");
constexpr size_t RETURN = 11;
#else
#error "the shim switches fibers on x86-64 and AArch64 only"
#endif

extern "C" void shim_switch(void** save, void* resume);

namespace {

void to_scheduler() {
    Fiber* fiber = block.threads[block.current].fiber;
    shim_switch(&fiber->stack_pointer, block.scheduler);
}

void release_barrier() {
    if (block.at_barrier == 0 || block.at_barrier != block.live) return;
    block.votes = 0;
    block.came = block.at_barrier;
    for (Thread& thread : block.threads) {
        if (thread.at == At::Barrier) block.votes += thread.predicate;
    }
    for (Thread& thread : block.threads) {
        if (thread.at != At::Barrier) continue;
        thread.at = At::Ready;
        thread.result = block.votes;
        thread.source = block.came;
    }
    block.at_barrier = 0;
    ++block.barriers;
}

template <typename Combine>
unsigned long long fold(const Thread* lanes, unsigned group, Combine combine) {
    unsigned long long sum = lanes[__builtin_ctz(group)].value;
    for (unsigned rest = group & (group - 1); rest; rest &= rest - 1) {
        sum = combine(sum, lanes[__builtin_ctz(rest)].value);
    }
    return sum;
}

unsigned long long reduce(int op, const Thread* lanes, unsigned group) {
    using u64 = unsigned long long;
    using i64 = long long;
    switch (op) {
        case SHIM_ADD: return fold(lanes, group, [](u64 a, u64 b) { return a + b; });
        case SHIM_AND: return fold(lanes, group, [](u64 a, u64 b) { return a & b; });
        case SHIM_OR: return fold(lanes, group, [](u64 a, u64 b) { return a | b; });
        case SHIM_XOR: return fold(lanes, group, [](u64 a, u64 b) { return a ^ b; });
        case SHIM_MIN_UNSIGNED: return fold(lanes, group, [](u64 a, u64 b) { return a < b ? a : b; });
        case SHIM_MAX_UNSIGNED: return fold(lanes, group, [](u64 a, u64 b) { return a > b ? a : b; });
        case SHIM_MIN_SIGNED:
            return fold(lanes, group, [](u64 a, u64 b) { return i64(a) < i64(b) ? a : b; });
        case SHIM_MAX_SIGNED:
            return fold(lanes, group, [](u64 a, u64 b) { return i64(a) > i64(b) ? a : b; });
        default: return 0;
    }
}

/// Gives the lanes of a complete group their results.
void combine(int op, Thread* lanes, unsigned group) {
    unsigned long long ballot = 0;
    ++block.operations;
    for (unsigned lane = 0; lane < 32; ++lane) {
        if (group >> lane & 1) ballot |= (unsigned long long)(lanes[lane].value != 0) << lane;
    }
    const unsigned long long sum = reduce(op, lanes, group);
    for (unsigned rest = group; rest; rest &= rest - 1) {
        Thread& self = lanes[__builtin_ctz(rest)];
        self.last_operation = block.operations;
        if (op == SHIM_SHUFFLE) {
            // A lane that is not part of the operation has no value to give: what the device would
            // return is undefined, so it is garbage here.
            self.result = group >> self.source & 1 ? lanes[self.source].value : 0xdeadbeefdeadbeef;
        } else if (op == SHIM_MATCH) {
            self.result = 0;
            for (unsigned lane = 0; lane < 32; ++lane) {
                if ((group >> lane & 1) && lanes[lane].value == self.value) self.result |= 1u << lane;
            }
        } else {
            self.result = op == SHIM_BALLOT ? ballot : sum;
        }
    }
}

/// Ends the wait of the group that `lane` belongs to, if all its lanes are there.
bool release_group(unsigned warp, unsigned lane) {
    Warp& state = block.warps[warp];
    Thread* lanes = &block.threads[warp * 32];
    const unsigned group = lanes[lane].mask & state.live;
    if (group & ~state.waiting) return false;
    for (unsigned rest = group; rest; rest &= rest - 1) {
        const Thread& other = lanes[__builtin_ctz(rest)];
        if (other.mask != lanes[lane].mask || other.op != lanes[lane].op) return false;
    }
    combine(lanes[lane].op, lanes, group);
    state.waiting &= ~group;
    for (unsigned rest = group; rest; rest &= rest - 1) lanes[__builtin_ctz(rest)].at = At::Ready;
    return true;
}

void finish(int thread) {
    block.threads[thread].at = At::Done;
    --block.live;
    Warp& warp = block.warps[thread / 32];
    warp.live &= ~(1u << thread % 32);
    for (unsigned lane = 0; lane < 32 && warp.waiting; ++lane) {
        if (warp.waiting >> lane & 1) release_group(thread / 32, lane);
    }
    release_barrier();
}

/// The thread, which has a fiber, is the one that runs.
void give_turn(int number) {
    Thread& thread = block.threads[number];
    thread.at = At::Running;
    block.current = number;
    block.stack = thread.fiber->stack;
    shim_state.thread = thread.index;
}

/// What a fiber does all its life: it runs threads of the block that nobody has started.
void fiber_main() {
    for (;;) {
        Fiber* self = block.idle.back();
        block.idle.pop_back();
        while (block.fresh < block.threads.size()) {
            const int number = block.order[block.fresh++];
            Thread& thread = block.threads[number];
            thread.fiber = self;
            give_turn(number);
            block.kernel->call(block.arguments);
            finish(number);
        }
        block.idle.push_back(self);
        shim_switch(&self->stack_pointer, block.scheduler);
    }
}

void reset(Fiber* fiber) {
    // A frame as shim_switch leaves it: saved registers, then where to return to. The stack pointer
    // is a multiple of 16 here, so that it is off by 8 on x86-64 once fiber_main runs, as after a call.
    void** frame = reinterpret_cast<void**>(fiber->stack + STACK_BYTES) - FRAME;
    memset(frame, 0, FRAME * sizeof(void*));
    frame[RETURN] = reinterpret_cast<void*>(&fiber_main);
    fiber->stack_pointer = frame;
}

Fiber* idle_fiber() {
    if (block.idle.empty()) {
        Fiber* fiber = new Fiber{};
        void* memory = mmap(nullptr, STACK_BYTES, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        fiber->stack = static_cast<char*>(memory);
        mprotect(memory, 4096, PROT_NONE);
        reset(fiber);
        block.fibers.push_back(fiber);
        block.idle.push_back(fiber);
    }
    return block.idle.back();
}

void report_deadlock() {
    std::string text = "the threads of a block wait for each other:";
    int shown = 0;
    for (size_t number = 0; number < block.threads.size() && shown < 8; ++number) {
        const Thread& thread = block.threads[number];
        char line[96];
        if (thread.at == At::Barrier) {
            snprintf(line, sizeof line, " thread %zu at __syncthreads;", number);
        } else if (thread.at == At::Warp) {
            snprintf(line, sizeof line, " thread %zu at a warp operation over %08x;", number,
                     thread.mask);
        } else {
            continue;
        }
        // Only where the kind of wait changes, which is where the fault is.
        if (number && block.threads[number - 1].at == thread.at &&
            block.threads[number - 1].mask == thread.mask) {
            continue;
        }
        text += line;
        ++shown;
    }
    block.error = 719;
    block.why = text;
    block.current = -1;
}

void run_block(ShimIndex index) {
    shim_state.block = index;
    block.fresh = 0;
    block.live = block.threads.size();
    block.at_barrier = block.yields = 0;
    shim_state.block_number = ++block.blocks;
    block.declared = 0;
    ++block.barriers;
    for (Thread& thread : block.threads) {
        thread.at = At::Fresh;
        thread.mask = thread.last_operation = 0;
    }
    for (size_t warp = 0; warp < block.warps.size(); ++warp) {
        const size_t lanes = block.threads.size() - warp * 32;
        block.warps[warp] = {lanes >= 32 ? ~0u : (1u << lanes) - 1, 0};
    }
    while (block.live && !block.error) {
        bool progress = false;
        for (size_t turn = 0; turn < block.order.size() && !block.error; ++turn) {
            const int number = block.order[turn];
            Thread& thread = block.threads[number];
            if (thread.at == At::Fresh) {
                shim_switch(&block.scheduler, idle_fiber()->stack_pointer);
            } else if (thread.at == At::Ready) {
                give_turn(number);
                shim_switch(&block.scheduler, thread.fiber->stack_pointer);
            } else {
                continue;
            }
            progress = true;
        }
        if (!progress && !block.error) report_deadlock();
    }
}

/// From the first thread to the last; GENESIS_SHIM_ORDER=reverse is the other way round, and a
/// number shuffles by that seed, which shows where a barrier is missing.
void set_order(unsigned count) {
    static const char* const wish = getenv("GENESIS_SHIM_ORDER");
    static uint64_t state = wish ? strtoull(wish, nullptr, 10) : 0;
    block.order.resize(count);
    std::iota(block.order.begin(), block.order.end(), 0);
    if (!wish || !*wish) return;
    if (!strcmp(wish, "reverse")) std::reverse(block.order.begin(), block.order.end());
    if (!isdigit(*wish)) return;
    for (unsigned at = count; at > 1; --at) {
        state = state * 6364136223846793005 + 1442695040888963407;
        std::swap(block.order[at - 1], block.order[(state >> 33) % at]);
    }
}

}  // namespace

bool is_running() { return block.kernel != nullptr; }

std::string place() {
    const ShimState& at = shim_state;
    char text[256];
    snprintf(text, sizeof text, "kernel %s, block (%u, %u, %u), thread (%u, %u, %u)",
             block.kernel ? block.kernel->name : "?", at.block.x, at.block.y, at.block.z,
             at.thread.x, at.thread.y, at.thread.z);
    return text;
}

void current_stack(const char*& begin, size_t& bytes) {
    begin = block.stack;
    bytes = STACK_BYTES;
}

size_t declared_bytes() { return block.declared; }

Moment now() {
    return {unsigned(block.current), block.blocks, block.barriers, block.threads[block.current].last_operation};
}

int run(const ShimKernel& kernel, dim3 grid, dim3 size, unsigned dynamic_bytes, void** arguments,
        std::string& why) {
    const unsigned count = size.x * size.y * size.z;
    block.kernel = &kernel;
    block.arguments = arguments;
    block.error = 0;
    block.threads.resize(count);
    block.warps.resize((count + 31) / 32);
    unsigned number = 0;
    for (unsigned z = 0; z < size.z; ++z) {
        for (unsigned y = 0; y < size.y; ++y) {
            for (unsigned x = 0; x < size.x; ++x) block.threads[number++].index = {x, y, z};
        }
    }
    shim_state.block_size = size;
    shim_state.grid_size = grid;
    set_order(count);
    // Shared memory starts as garbage; the later blocks find what the earlier ones left.
    block.poisoned = 0;
    for (unsigned z = 0; z < grid.z && !block.error; ++z) {
        for (unsigned y = 0; y < grid.y && !block.error; ++y) {
            for (unsigned x = 0; x < grid.x && !block.error; ++x) {
                if (block.poisoned++ < POISONED_BLOCKS) memset(shim_dynamic, 0xa5, dynamic_bytes);
                run_block({x, y, z});
            }
        }
    }
    if (block.error) {
        why = (block.current < 0 ? std::string("kernel ") + kernel.name : place()) + ": " + block.why;
        // The stacks of threads that never ended are wound back.
        block.idle = block.fibers;
        for (Fiber* fiber : block.fibers) reset(fiber);
    }
    block.kernel = nullptr;
    return block.error;
}

}  // namespace shim

using namespace shim;

extern "C" void shim_shared(void* memory, unsigned bytes) {
    block.declared += bytes;
    if (block.poisoned <= POISONED_BLOCKS) memset(memory, 0xa5, bytes);
    know_shared(memory, bytes);
}

extern "C" unsigned shim_barrier(bool predicate, unsigned* total) {
    Thread& self = block.threads[block.current];
    self.predicate = predicate;
    self.at = At::Barrier;
    ++block.at_barrier;
    release_barrier();
    if (self.at == At::Barrier) to_scheduler();
    self.at = At::Running;
    if (total) *total = self.source;
    return self.result;
}

extern "C" unsigned long long shim_warp(int op, unsigned mask, unsigned long long value,
                                        unsigned source) {
    const unsigned warp = block.current / 32, lane = block.current % 32;
    Thread& self = block.threads[block.current];
    if (!(mask >> lane & 1)) {
        shim_fail(719, "a lane calls a warp operation whose mask does not name it");
    }
    self.op = op;
    self.mask = mask;
    self.value = value;
    self.source = source;
    self.at = At::Warp;
    block.warps[warp].waiting |= 1u << lane;
    if (!release_group(warp, lane)) to_scheduler();
    self.at = At::Running;
    return self.result;
}

extern "C" unsigned shim_live_lanes() { return block.warps[block.current / 32].live; }

extern "C" void shim_yield() {
    if (++block.yields > ALL_YIELDS) shim_fail(702, "a thread waits for memory that nobody writes");
    block.threads[block.current].at = At::Ready;
    to_scheduler();
}

extern "C" void shim_fail(int error, const char* why) {
    block.error = error;
    block.why = why;
    to_scheduler();
    __builtin_unreachable();
}
