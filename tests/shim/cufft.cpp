// A pretended libcufft: transforms of lines by their least prime factors, in the order of the driver's
// streams, in double precision. It writes over its work area, and over the input of a transform to real
// numbers, as the real one may.

#include <cmath>
#include <complex>
#include <cstdint>
#include <cstring>
#include <functional>
#include <map>
#include <vector>

int shim_submit(void* stream, std::function<int()> work);

namespace {

enum Result {
    SUCCESS = 0,
    INVALID_PLAN = 1,
    INVALID_TYPE = 3,
    INVALID_VALUE = 4,
    EXEC_FAILED = 6,
    INVALID_SIZE = 8,
    NO_WORKSPACE = 13,
};
enum Type { R2C = 0x2a, C2R = 0x2c, C2C = 0x29, D2Z = 0x6a, Z2D = 0x6c, Z2Z = 0x69 };

using Number = std::complex<double>;

struct Plan {
    int type = 0;
    long long n = 0, batch = 0;
    long long in_step = 0, in_next = 0, out_step = 0, out_next = 0;
    bool allocates = true, is_made = false;
    void *stream = nullptr, *work = nullptr;
    size_t work_size = 0;
    std::vector<char> own;
};

std::map<int, Plan>& plans() {
    static std::map<int, Plan> all;
    return all;
}

Plan* find(int handle) {
    const auto found = plans().find(handle);
    return found == plans().end() ? nullptr : &found->second;
}

/// Of `n` numbers, `step` apart.
void transformed(const Number* in, Number* out, long long n, long long step, double sign) {
    if (n == 1) {
        out[0] = in[0];
        return;
    }
    long long p = 2;
    while (n % p != 0) p = p * p > n ? n : p + 1;
    const long long m = n / p;
    std::vector<Number> parts(n);
    for (long long at = 0; at < p; ++at) transformed(in + at * step, &parts[at * m], m, step * p, sign);
    std::vector<Number> turns(n);
    for (long long at = 0; at < n; ++at) turns[at] = std::polar(1.0, sign * 2 * M_PI * double(at) / double(n));
    for (long long k = 0; k < n; ++k) {
        Number sum = 0;
        for (long long at = 0; at < p; ++at) sum += parts[at * m + k % m] * turns[(at * k) % n];
        out[k] = sum;
    }
}

/// All lines, with parts of type `T`.
template <typename T>
void run(const Plan& plan, T* in, T* out, double sign) {
    const long long n = plan.n, half = n / 2 + 1;
    const bool from_real = plan.type == R2C || plan.type == D2Z;
    const bool to_real = plan.type == C2R || plan.type == Z2D;
    std::vector<Number> line(n), result(n);
    for (long long batch = 0; batch < plan.batch; ++batch) {
        const auto at = [&](long long k) { return batch * plan.in_next + k * plan.in_step; };
        const auto to = [&](long long k) { return batch * plan.out_next + k * plan.out_step; };
        const auto read = [&](long long k) { return Number(in[2 * at(k)], in[2 * at(k) + 1]); };
        for (long long k = 0; k < n; ++k) {
            if (from_real) {
                line[k] = in[at(k)];
            } else {
                line[k] = to_real && k >= half ? std::conj(read(n - k)) : read(k);
            }
        }
        transformed(line.data(), result.data(), n, 1, sign);
        for (long long k = 0; k < (from_real ? half : n); ++k) {
            if (to_real) {
                out[to(k)] = T(result[k].real());
            } else {
                out[2 * to(k)] = T(result[k].real());
                out[2 * to(k) + 1] = T(result[k].imag());
            }
        }
        if (to_real) {
            for (long long k = 0; k < half; ++k) in[2 * at(k)] = in[2 * at(k) + 1] = T(NAN);
        }
    }
    if (plan.work) memset(plan.work, 0x5a, plan.work_size);
}

int execute(int handle, int type, void* in, void* out, int direction) {
    Plan* plan = find(handle);
    if (!plan || !plan->is_made || plan->type != type) return INVALID_PLAN;
    if (!in || !out || (direction != -1 && direction != 1)) return INVALID_VALUE;
    if (!plan->work && plan->work_size) return NO_WORKSPACE;
    const bool is_double = type == D2Z || type == Z2D || type == Z2Z;
    if (uintptr_t(in) % (is_double ? 16 : 8) || uintptr_t(out) % (is_double ? 16 : 8)) return INVALID_VALUE;
    const int code = shim_submit(plan->stream, [plan = *plan, is_double, in, out, direction] {
        if (is_double) {
            run(plan, static_cast<double*>(in), static_cast<double*>(out), direction);
        } else {
            run(plan, static_cast<float*>(in), static_cast<float*>(out), direction);
        }
        return 0;
    });
    return code ? EXEC_FAILED : SUCCESS;
}

}  // namespace

#pragma GCC visibility push(default)
extern "C" {

int cufftCreate(int* handle) {
    static int next = 1;
    plans()[*handle = next++] = Plan{};
    return SUCCESS;
}
int cufftDestroy(int handle) { return plans().erase(handle) ? SUCCESS : INVALID_PLAN; }
int cufftGetVersion(int* version) { return *version = 12099, SUCCESS; }
int cufftGetProperty(int kind, int* value) { return *value = kind == 0 ? 12 : kind == 1 ? 99 : 0, SUCCESS; }
int cufftSetAutoAllocation(int handle, int on) {
    Plan* plan = find(handle);
    if (!plan || plan->is_made) return INVALID_PLAN;
    return plan->allocates = on != 0, SUCCESS;
}
int cufftSetStream(int handle, void* stream) {
    Plan* plan = find(handle);
    return plan ? (plan->stream = stream, SUCCESS) : INVALID_PLAN;
}
int cufftSetWorkArea(int handle, void* work) {
    Plan* plan = find(handle);
    return plan ? (plan->work = work, SUCCESS) : INVALID_PLAN;
}
int cufftMakePlanMany64(int handle, int rank, long long* n, long long* inembed, long long in_step,
                        long long in_next, long long* onembed, long long out_step, long long out_next,
                        int type, long long batch, size_t* work_size) {
    Plan* plan = find(handle);
    if (!plan || plan->is_made) return INVALID_PLAN;
    if (type != R2C && type != C2R && type != C2C && type != D2Z && type != Z2D && type != Z2Z) return INVALID_TYPE;
    // One axis is all that the program asks for.
    if (rank != 1 || n[0] < 1 || batch < 1) return INVALID_SIZE;
    plan->type = type, plan->n = n[0], plan->batch = batch;
    if (inembed && onembed) {
        plan->in_step = in_step, plan->in_next = in_next;
        plan->out_step = out_step, plan->out_next = out_next;
    } else {
        const bool from_real = type == R2C || type == D2Z, to_real = type == C2R || type == Z2D;
        plan->in_step = plan->out_step = 1;
        plan->in_next = to_real ? n[0] / 2 + 1 : n[0];
        plan->out_next = from_real ? n[0] / 2 + 1 : n[0];
    }
    plan->work_size = 16 * size_t(n[0]);
    if (plan->allocates) plan->own.resize(plan->work_size), plan->work = plan->own.data();
    plan->is_made = true;
    return *work_size = plan->work_size, SUCCESS;
}

int cufftExecC2C(int handle, void* in, void* out, int direction) { return execute(handle, C2C, in, out, direction); }
int cufftExecZ2Z(int handle, void* in, void* out, int direction) { return execute(handle, Z2Z, in, out, direction); }
int cufftExecR2C(int handle, void* in, void* out) { return execute(handle, R2C, in, out, -1); }
int cufftExecD2Z(int handle, void* in, void* out) { return execute(handle, D2Z, in, out, -1); }
int cufftExecC2R(int handle, void* in, void* out) { return execute(handle, C2R, in, out, 1); }
int cufftExecZ2D(int handle, void* in, void* out) { return execute(handle, Z2D, in, out, 1); }
}
#pragma GCC visibility pop
