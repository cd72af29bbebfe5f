// The pretended driver's objects. Work that a stream orders is a closure in the stream's queue; it
// runs at once, or later if GENESIS_SHIM_QUEUE says so.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "fibers.h"

#define EXPORT extern "C" __attribute__((visibility("default")))

namespace shim {

enum Code : int {
    SUCCESS = 0,
    INVALID_VALUE = 1,
    OUT_OF_MEMORY = 2,
    NOT_INITIALIZED = 3,
    NO_DEVICE = 100,
    INVALID_DEVICE = 101,
    INVALID_CONTEXT = 201,
    NO_BINARY_FOR_GPU = 209,
    INVALID_HANDLE = 400,
    NOT_FOUND = 500,
    NOT_READY = 600,
    ILLEGAL_ADDRESS = 700,
    LAUNCH_OUT_OF_RESOURCES = 701,
    LAUNCH_TIMEOUT = 702,
    ASSERT = 710,
    MISALIGNED_ADDRESS = 716,
    LAUNCH_FAILED = 719,
    NOT_SUPPORTED = 801,
    STREAM_CAPTURE_UNSUPPORTED = 900,
    STREAM_CAPTURE_INVALIDATED = 901,
    STREAM_CAPTURE_UNMATCHED = 903,
    STREAM_CAPTURE_IMPLICIT = 906,
    CAPTURED_EVENT = 907,
    UNKNOWN = 999,
};

using Pointer = uintptr_t;
using Work = std::function<int()>;

struct Pool {
    int device;
    uint64_t threshold = 0, used = 0, used_high = 0, kept = 0, reserved_high = 0;
    int flags[3] = {1, 1, 1};
};

struct Graph {
    /// In an order in which they may run. A node's handle is its address.
    std::deque<Work> nodes;
    bool is_valid = true;
    /// Of an executable graph: the nodes that its own were made from.
    std::vector<const Work*> origins;
};

struct Stream {
    int device = 0;
    unsigned flags = 0;
    int priority = 0;
    uint64_t issued = 0, done = 0;
    std::deque<Work> queue;
    std::shared_ptr<Graph> capture;
    bool is_origin = false;
    int capture_mode = 0;
};

struct Event {
    int device;
    unsigned flags;
    Stream* stream = nullptr;
    uint64_t at = 0;
    std::chrono::steady_clock::time_point time;
    std::shared_ptr<Graph> capture;
};

struct Device {
    int ordinal;
    std::atomic<int> retained{0};
    uint64_t used = 0;
    Stream null_stream;
    Pool pool;
    std::vector<Stream*> streams;
};

struct Allocation {
    size_t bytes;
    int device;
    /// Pinned host memory, not the device's own.
    bool is_host;
    Pool* pool;
};

/// Memory without an address of its own, which mappings show.
struct Physical {
    size_t bytes;
    int device, file;
    size_t mappings;
    bool is_released, is_fresh;
};

/// Where physical memory is to be seen.
struct Mapping {
    Allocation as_allocation;
    uint64_t handle;
    bool has_access;
};

/// All that the driver knows. One for the process, as the real driver's.
struct Driver {
    std::mutex state;
    /// Held by whoever runs work: kernels run one at a time.
    std::recursive_mutex engine;
    bool is_initialized = false;
    /// An error of a kernel stays, as it does in a real context.
    std::atomic<int> sticky{SUCCESS};
    std::vector<std::unique_ptr<Device>> devices;
    std::map<Pointer, Allocation> allocations;
    /// Reserved addresses and their lengths.
    std::map<Pointer, size_t> reservations;
    std::map<Pointer, Mapping> mappings;
    std::map<uint64_t, Physical> physical;
    uint64_t last_physical = 0;
    uint64_t capacity = uint64_t(8) << 30;
    int multiprocessors = 132;
    bool is_lazy = false, has_thread = false, is_poisoned = false;
};

Driver& driver();
/// Counts how often memory that could be reached no longer can.
extern std::atomic<uint64_t> losses;
/// The device whose context is current on this thread, or none.
Device* current();
/// 0 if the thread may call, else the error that the call returns.
int ready();
int unsafe_in_capture();

/// The stream of a handle (the null stream for 0), checked against the current context.
Stream* stream_of(void* handle);
/// The number of a node, or -1.
long place_of(const Graph* graph, const void* node);
/// Puts work at the end of a stream.
int submit(Stream* stream, Work work);
/// Runs the work of a stream up to a place in it.
int drain(Stream* stream, uint64_t place);
int drain_all(Device* device);
/// Unloads what a context loaded, as its end does.
void unload_modules(int device);

/// What a device has left.
uint64_t available(const Device& device);
/// The allocation or the mapping that holds all the bytes, and where it begins, or none.
const Allocation* holder(Pointer address, size_t bytes, Pointer* base = nullptr);
/// The same among mappings, of which several that follow each other may hold them together.
const Allocation* mapped_holder(Pointer address, size_t bytes, Pointer* base);
/// Why a reserved address can't be used; nothing for others.
const char* describe_pages(Pointer address);
std::string describe(Pointer address);

}  // namespace shim

using CUresult = int;
