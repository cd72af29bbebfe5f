// libcuda: streams, events, graphs. A stream is a queue of closures; a captured stream writes them
// into a graph instead, and a graph is that list, run again.

#include <algorithm>
#include <condition_variable>
#include <thread>

#include "driver.h"

namespace shim {

namespace {

constexpr unsigned NON_BLOCKING = 1, DISABLE_TIMING = 2;
constexpr int RELAXED = 2;

/// Never destroyed: the thread that serves the queues outlives `main`.
std::condition_variable& work_arrived = *new std::condition_variable;

bool is_alive(const Stream* stream) {
    for (auto& device : driver().devices) {
        if (stream == &device->null_stream) return true;
        const auto& streams = device->streams;
        if (std::find(streams.begin(), streams.end(), stream) != streams.end()) return true;
    }
    return false;
}

/// A place in a stream that may be gone by the time somebody waits for it.
struct Mark {
    Stream* stream;
    uint64_t at;
};

int reach(const Mark& mark) {
    std::lock_guard engine(driver().engine);
    {
        std::lock_guard lock(driver().state);
        if (!is_alive(mark.stream)) return SUCCESS;
    }
    return drain(mark.stream, mark.at);
}

/// What the legacy null stream waits for, and what waits for it.
std::vector<Mark> implied(Stream* stream) {
    Device& device = *driver().devices[stream->device];
    std::vector<Mark> marks;
    if (stream == &device.null_stream) {
        for (Stream* other : device.streams) {
            if (!(other->flags & NON_BLOCKING) && other->done < other->issued) {
                marks.push_back({other, other->issued});
            }
        }
    } else if (!(stream->flags & NON_BLOCKING) && device.null_stream.done < device.null_stream.issued) {
        marks.push_back({&device.null_stream, device.null_stream.issued});
    }
    return marks;
}

/// Runs the queues while the host goes its own way.
void serve() {
    Driver& d = driver();
    for (;;) {
        std::this_thread::sleep_for(std::chrono::microseconds(30));
        std::vector<Mark> waiting;
        {
            std::unique_lock lock(d.state);
            const auto collect = [&] {
                waiting.clear();
                for (auto& device : d.devices) {
                    for (Stream* stream : device->streams) {
                        if (!stream->queue.empty()) waiting.push_back({stream, stream->issued});
                    }
                    Stream& none = device->null_stream;
                    if (!none.queue.empty()) waiting.push_back({&none, none.issued});
                }
                return !waiting.empty();
            };
            work_arrived.wait(lock, collect);
        }
        for (const Mark& mark : waiting) reach(mark);
    }
}

int capture_is_broken(Stream* stream) {
    stream->capture->is_valid = false;
    return STREAM_CAPTURE_UNSUPPORTED;
}

bool is_pending(const Stream* stream, uint64_t place) { return is_alive(stream) && stream->done < place; }

/// One step of a stream for a host that only asks.
int poll(Stream* stream, uint64_t place) {
    Driver& d = driver();
    bool is_busy;
    uint64_t next;
    {
        std::lock_guard lock(d.state);
        is_busy = is_pending(stream, place);
        next = is_busy ? stream->done + 1 : 0;
    }
    if (!is_busy) return d.sticky;
    if (d.is_lazy && !d.has_thread) drain(stream, next);
    return NOT_READY;
}

}  // namespace

Stream* stream_of(void* handle) {
    Device* device = current();
    if (reinterpret_cast<Pointer>(handle) <= 2) return &device->null_stream;
    std::lock_guard lock(driver().state);
    Stream* stream = static_cast<Stream*>(handle);
    const auto& streams = device->streams;
    return std::find(streams.begin(), streams.end(), stream) != streams.end() ? stream : nullptr;
}

int unsafe_in_capture() {
    std::lock_guard lock(driver().state);
    for (Stream* stream : current()->streams) {
        if (stream->capture && stream->capture_mode != RELAXED) return capture_is_broken(stream);
    }
    return SUCCESS;
}

int submit(Stream* stream, Work work) {
    Driver& d = driver();
    uint64_t place;
    {
        std::lock_guard lock(d.state);
        if (stream->capture) {
            if (!stream->capture->is_valid) return STREAM_CAPTURE_INVALIDATED;
            return stream->capture->nodes.push_back(std::move(work)), SUCCESS;
        }
        auto marks = implied(stream);
        if (!marks.empty()) {
            work = [marks = std::move(marks), work = std::move(work)] {
                for (const Mark& mark : marks) reach(mark);
                return work();
            };
        }
        stream->queue.push_back(std::move(work));
        place = ++stream->issued;
        if (d.has_thread) {
            static std::once_flag once;
            std::call_once(once, [] { std::thread(serve).detach(); });
            work_arrived.notify_one();
        }
    }
    return d.is_lazy ? int(d.sticky) : drain(stream, place);
}

int drain(Stream* stream, uint64_t place) {
    Driver& d = driver();
    std::lock_guard engine(d.engine);
    int outcome = SUCCESS;
    for (;;) {
        Work work;
        {
            std::lock_guard lock(d.state);
            if (stream->done >= place || stream->queue.empty()) break;
            work = std::move(stream->queue.front());
            stream->queue.pop_front();
        }
        // A context that met an error runs nothing any more.
        const int code = d.sticky ? int(d.sticky) : work();
        if (code >= ILLEGAL_ADDRESS) d.sticky = code;
        if (code) outcome = code;
        std::lock_guard lock(d.state);
        ++stream->done;
    }
    return d.sticky ? int(d.sticky) : outcome;
}

long place_of(const Graph* graph, const void* node) {
    for (size_t at = 0; at < graph->nodes.size(); ++at) {
        const void* known = graph->origins.empty() ? &graph->nodes[at] : graph->origins[at];
        if (node == known) return long(at);
    }
    return -1;
}

int drain_all(Device* device) {
    std::lock_guard engine(driver().engine);
    std::vector<Mark> marks;
    {
        std::lock_guard lock(driver().state);
        for (Stream* stream : device->streams) marks.push_back({stream, stream->issued});
        marks.push_back({&device->null_stream, device->null_stream.issued});
    }
    int outcome = SUCCESS;
    for (const Mark& mark : marks) {
        if (int code = reach(mark)) outcome = code;
    }
    std::lock_guard lock(driver().state);
    Pool& pool = device->pool;
    pool.kept = std::min(pool.kept, pool.threshold > pool.used ? pool.threshold - pool.used : 0);
    return outcome;
}

}  // namespace shim

using namespace shim;

EXPORT CUresult cuStreamCreateWithPriority(Stream** out, unsigned flags, int priority) {
    if (int error = ready()) return error;
    Stream* stream = new Stream;
    stream->device = current()->ordinal;
    stream->flags = flags;
    stream->priority = priority;
    std::lock_guard lock(driver().state);
    current()->streams.push_back(stream);
    return *out = stream, SUCCESS;
}
EXPORT CUresult cuStreamCreate(Stream** out, unsigned flags) { return cuStreamCreateWithPriority(out, flags, 0); }
EXPORT CUresult cuStreamDestroy_v2(Stream* stream) {
    Driver& d = driver();
    std::lock_guard engine(d.engine);
    {
        std::lock_guard lock(d.state);
        if (!stream || !is_alive(stream)) return INVALID_HANDLE;
    }
    drain(stream, stream->issued);
    std::lock_guard lock(d.state);
    auto& streams = d.devices[stream->device]->streams;
    streams.erase(std::find(streams.begin(), streams.end(), stream));
    delete stream;
    return SUCCESS;
}
EXPORT CUresult cuStreamSynchronize(void* handle) {
    if (int error = ready()) return error;
    Stream* stream = stream_of(handle);
    if (!stream) return INVALID_HANDLE;
    if (stream->capture) return capture_is_broken(stream);
    // The null stream's waits are in its queue only if it has work.
    if (stream == &current()->null_stream) return drain_all(current());
    return drain(stream, stream->issued);
}
EXPORT CUresult cuStreamQuery(void* handle) {
    if (int error = ready()) return error;
    Stream* stream = stream_of(handle);
    if (!stream) return INVALID_HANDLE;
    if (stream->capture) return capture_is_broken(stream);
    return poll(stream, stream->issued);
}
EXPORT CUresult cuStreamGetFlags(void* handle, unsigned* flags) {
    Stream* stream = current() ? stream_of(handle) : nullptr;
    return stream ? (*flags = stream->flags, SUCCESS) : INVALID_HANDLE;
}
EXPORT CUresult cuStreamGetPriority(void* handle, int* priority) {
    Stream* stream = current() ? stream_of(handle) : nullptr;
    return stream ? (*priority = stream->priority, SUCCESS) : INVALID_HANDLE;
}
EXPORT CUresult cuStreamGetId(void* handle, unsigned long long* id) {
    return *id = reinterpret_cast<Pointer>(handle), SUCCESS;
}
EXPORT CUresult cuStreamGetCtx(void*, Device** context) { return *context = current(), SUCCESS; }
EXPORT CUresult cuStreamAttachMemAsync(void*, Pointer, size_t, unsigned) { return SUCCESS; }

EXPORT CUresult cuEventCreate(Event** out, unsigned flags) {
    if (int error = ready()) return error;
    *out = new Event{};
    (*out)->device = current()->ordinal;
    (*out)->flags = flags;
    return SUCCESS;
}
EXPORT CUresult cuEventDestroy_v2(Event* event) {
    if (!event) return INVALID_HANDLE;
    // Queued work may still write its time.
    if (event->stream) reach({event->stream, event->at});
    delete event;
    return SUCCESS;
}
EXPORT CUresult cuEventRecord(Event* event, void* handle) {
    if (int error = ready()) return error;
    Stream* stream = stream_of(handle);
    if (!stream || event->device != stream->device) return INVALID_HANDLE;
    event->capture = stream->capture;
    if (stream->capture) return SUCCESS;
    event->stream = stream;
    {
        std::lock_guard lock(driver().state);
        event->at = stream->issued + 1;
    }
    return submit(stream, [=] { return event->time = std::chrono::steady_clock::now(), SUCCESS; });
}
EXPORT CUresult cuEventRecordWithFlags(Event* event, void* handle, unsigned) { return cuEventRecord(event, handle); }
EXPORT CUresult cuEventQuery(Event* event) {
    if (int error = ready()) return error;
    if (event->capture) return CAPTURED_EVENT;
    return event->stream ? poll(event->stream, event->at) : SUCCESS;
}
EXPORT CUresult cuEventSynchronize(Event* event) {
    if (int error = ready()) return error;
    if (event->capture) return CAPTURED_EVENT;
    return event->stream ? reach({event->stream, event->at}) : SUCCESS;
}
EXPORT CUresult cuEventElapsedTime_v2(float* milliseconds, Event* start, Event* end) {
    for (Event* event : {start, end}) {
        if (!event->stream || event->flags & DISABLE_TIMING) return INVALID_HANDLE;
        std::lock_guard lock(driver().state);
        if (is_pending(event->stream, event->at)) return NOT_READY;
    }
    *milliseconds = std::chrono::duration<float, std::milli>(end->time - start->time).count();
    return driver().sticky;
}
EXPORT CUresult cuEventElapsedTime(float* ms, Event* start, Event* end) { return cuEventElapsedTime_v2(ms, start, end); }
EXPORT CUresult cuStreamWaitEvent(void* handle, Event* event, unsigned) {
    if (int error = ready()) return error;
    Stream* stream = stream_of(handle);
    if (!stream || !event) return INVALID_HANDLE;
    if (event->capture) {
        // The stream joins the capture that the event belongs to.
        if (stream->capture && stream->capture != event->capture) return capture_is_broken(stream);
        stream->capture = event->capture;
        return SUCCESS;
    }
    if (stream->capture) return capture_is_broken(stream);
    if (!event->stream || event->stream == stream) return SUCCESS;
    const Mark mark{event->stream, event->at};
    return submit(stream, [=] { return reach(mark); });
}

EXPORT CUresult cuLaunchHostFunc(void* handle, void (*function)(void*), void* data) {
    if (int error = ready()) return error;
    Stream* stream = stream_of(handle);
    if (!stream) return INVALID_HANDLE;
    return submit(stream, [=] { return function(data), SUCCESS; });
}

EXPORT CUresult cuStreamBeginCapture_v2(void* handle, int mode) {
    if (int error = ready()) return error;
    Stream* stream = stream_of(handle);
    if (!stream) return INVALID_HANDLE;
    if (stream == &current()->null_stream || stream->capture) return STREAM_CAPTURE_UNSUPPORTED;
    std::lock_guard lock(driver().state);
    stream->capture = std::make_shared<Graph>();
    stream->is_origin = true;
    stream->capture_mode = mode;
    return SUCCESS;
}
EXPORT CUresult cuStreamEndCapture(void* handle, Graph** out) {
    if (int error = ready()) return error;
    Stream* stream = stream_of(handle);
    *out = nullptr;
    if (!stream || !stream->capture || !stream->is_origin) return STREAM_CAPTURE_UNMATCHED;
    std::lock_guard lock(driver().state);
    const std::shared_ptr<Graph> graph = stream->capture;
    for (Stream* other : current()->streams) {
        if (other->capture == graph) other->capture = nullptr, other->is_origin = false;
    }
    if (!graph->is_valid) return STREAM_CAPTURE_INVALIDATED;
    return *out = new Graph(*graph), SUCCESS;
}
EXPORT CUresult cuStreamIsCapturing(void* handle, int* status) {
    if (int error = ready()) return error;
    Stream* stream = stream_of(handle);
    if (!stream) return INVALID_HANDLE;
    return *status = !stream->capture ? 0 : stream->capture->is_valid ? 1 : 2, SUCCESS;
}
EXPORT CUresult cuThreadExchangeStreamCaptureMode(int* mode) { return *mode = 0, SUCCESS; }

EXPORT CUresult cuGraphCreate(Graph** out, unsigned flags) {
    if (flags) return INVALID_VALUE;
    if (int error = ready()) return error;
    return *out = new Graph, SUCCESS;
}
EXPORT CUresult cuGraphInstantiateWithFlags(Graph** out, Graph* graph, unsigned long long) {
    if (int error = ready()) return error;
    *out = new Graph(*graph);
    for (const Work& node : graph->nodes) (*out)->origins.push_back(&node);
    return SUCCESS;
}
EXPORT CUresult cuGraphInstantiate(Graph** out, Graph* graph, unsigned long long flags) {
    return cuGraphInstantiateWithFlags(out, graph, flags);
}
EXPORT CUresult cuGraphGetNodes(Graph* graph, void** nodes, size_t* count) {
    for (size_t at = 0; nodes && at < *count && at < graph->nodes.size(); ++at) nodes[at] = &graph->nodes[at];
    return *count = graph->nodes.size(), SUCCESS;
}
EXPORT CUresult cuGraphExecUpdate_v2(Graph* executable, Graph* graph, void*) {
    if (executable->nodes.size() != graph->nodes.size()) return 910;
    std::lock_guard lock(driver().state);
    return executable->nodes = graph->nodes, SUCCESS;
}
EXPORT CUresult cuGraphLaunch(Graph* executable, void* handle) {
    if (int error = ready()) return error;
    Stream* stream = stream_of(handle);
    if (!stream) return INVALID_HANDLE;
    return submit(stream, [nodes = executable->nodes] {
        for (const Work& node : nodes) {
            if (int code = node()) return code;
        }
        return int(SUCCESS);
    });
}
EXPORT CUresult cuGraphUpload(Graph*, void*) { return ready(); }
EXPORT CUresult cuGraphDestroy(Graph* graph) { return delete graph, SUCCESS; }
EXPORT CUresult cuGraphExecDestroy(Graph* graph) { return delete graph, SUCCESS; }
