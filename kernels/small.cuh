// What the kernels share that take small matrices apart: a group of lanes of a warp for each matrix,
// which stands in shared memory. Behind tiles.cuh, whose walk goes through the stack.
// Macros: REAL (f32 or f64), WIDTH (lanes of a group: 4, 8, 16 or 32, no less than rows or columns).

#define THREADS 64u
#define GROUPS (THREADS / WIDTH)

// The distance from 1 to the next number.
__device__ inline f32 epsilon(f32) { return 1.1920929e-7f; }
__device__ inline f64 epsilon(f64) { return 2.220446049250313e-16; }
#define EPSILON epsilon((REAL)0)

__device__ inline f32 magnitude(f32 x) { return fabsf(x); }
__device__ inline f64 magnitude(f64 x) { return fabs(x); }
__device__ inline f32 root(f32 x) { return sqrtf(x); }
__device__ inline f64 root(f64 x) { return sqrt(x); }
__device__ inline f32 with_sign(f32 size, f32 of) { return copysignf(size, of); }
__device__ inline f64 with_sign(f64 size, f64 of) { return copysign(size, of); }
__device__ inline f32 long_side(f32 a, f32 b) { return hypotf(a, b); }
__device__ inline f64 long_side(f64 a, f64 b) { return hypot(a, b); }
__device__ inline f32 power(f32, int exponent) { return ldexpf(1.0f, exponent); }
__device__ inline f64 power(f64, int exponent) { return ldexp(1.0, exponent); }
__device__ inline int exponent_of(f32 x) { return ilogbf(x); }
__device__ inline int exponent_of(f64 x) { return ilogb(x); }

__device__ inline bool is_finite(REAL x) { return x - x == 0; }

// A matrix by rows. The odd step lets lanes go along columns without meeting in a bank.
typedef REAL Square[WIDTH][WIDTH + 1];

// Where a stack of matrices lies.
struct Matrices {
    const REAL* start;
    i64 row_step;
    i64 step;
};

// The lanes of one matrix. Those of a group behind the stack's end work on its last matrix, too, and
// store nothing.
struct Group {
    u32 lanes;  // the bits of its lanes in the warp
    u32 at;     // of the lane in the group
    u32 slot;   // of the group in the block
    u64 number; // of the matrix
    bool is_there;
};

__device__ inline Group group_of(u64 count) {
    Group group;
    group.lanes = (u32)((1ull << WIDTH) - 1) << (threadIdx.x % WARP / WIDTH * WIDTH);
    group.at = threadIdx.x % WIDTH;
    group.slot = threadIdx.x / WIDTH;
    u64 number = (u64)blockIdx.x * GROUPS + group.slot;
    group.is_there = number < count;
    group.number = group.is_there ? number : count - 1;
    return group;
}

// What lanes wrote before, the others of the group read after.
__device__ inline void meet(const Group& group) { __syncwarp(group.lanes); }

__device__ inline REAL total(const Group& group, REAL x) {
#pragma unroll
    for (u32 distance = WIDTH / 2; distance > 0; distance /= 2) {
        x += __shfl_xor_sync(group.lanes, x, distance, WIDTH);
    }
    return x;
}

// The largest; NaN where one is.
__device__ inline REAL largest(const Group& group, REAL x) {
#pragma unroll
    for (u32 distance = WIDTH / 2; distance > 0; distance /= 2) {
        REAL other = __shfl_xor_sync(group.lanes, x, distance, WIDTH);
        x = other > x || other != other ? other : x;
    }
    return x;
}

// The first lane whose number is the largest. NaN is larger than any number.
__device__ inline u32 place_of_largest(const Group& group, REAL x) {
    u32 place = group.at;
#pragma unroll
    for (u32 distance = WIDTH / 2; distance > 0; distance /= 2) {
        REAL other = __shfl_xor_sync(group.lanes, x, distance, WIDTH);
        u32 there = __shfl_xor_sync(group.lanes, place, distance, WIDTH);
        bool is_equal = other == x || (other != other && x != x);
        bool is_larger = other > x || (other != other && x == x);
        if (is_larger || (is_equal && there < place)) {
            x = other;
            place = there;
        }
    }
    return place;
}

__device__ inline u32 less(u32 a, u32 b) { return a < b ? a : b; }

// Reads a matrix; the lanes go along its rows.
__device__ inline void load(
    const Group& group, Square& a, const Matrices& from, i64 offset, u32 rows, u32 columns) {
    const REAL* start = from.start + offset;
    if (group.at < columns) {
        for (u32 row = 0; row < rows; row++) {
            a[row][group.at] = start[row * from.row_step + group.at * from.step];
        }
    }
    meet(group);
}

// A power of two near the largest of a matrix's elements, which are divided by it: their squares are
// then neither infinite nor zero. NaN where an element is not finite.
__device__ inline REAL scale(const Group& group, Square& a, u32 rows, u32 columns) {
    REAL size = 0;
    bool is_sound = true;
    if (group.at < columns) {
        for (u32 row = 0; row < rows; row++) {
            REAL x = magnitude(a[row][group.at]);
            is_sound &= is_finite(x);
            size = x > size ? x : size;
        }
    }
    is_sound = __all_sync(group.lanes, is_sound);
    size = largest(group, size);
    if (!is_sound) return size + (REAL)F64_NAN;
    if (size == 0) return 1;
    int exponent = exponent_of(size);
    // Two steps: of the least numbers one over the power is larger than any number.
    REAL half = power(size, exponent / 2), rest = power(size, exponent - exponent / 2);
    if (group.at < columns) {
        for (u32 row = 0; row < rows; row++) {
            a[row][group.at] = a[row][group.at] / half / rest;
        }
    }
    meet(group);
    return half * rest;
}

// Pairs of columns that do not meet, in rounds that bring every column to every other one once: the
// first stays, the others go around. `player` counts from 0; both are the same where one has a rest.
struct Rounds {
    u32 players;  // an even number

    __device__ explicit Rounds(u32 columns) : players((columns + 1) / 2 * 2) {}
    __device__ u32 count() const { return players == 0 ? 0 : players - 1; }
    __device__ u32 pairs() const { return players / 2; }
    __device__ void pair(u32 round, u32 number, u32& low, u32& high) const {
        u32 others = players - 1;
        u32 a = round + number, b = round + others - number;
        a = a >= others ? a - others : a;
        b = b >= others ? b - others : b;
        if (number == 0) b = others;
        low = a < b ? a : b;
        high = a < b ? b : a;
    }
};

// The rotation by which `off`, which two columns have in common, becomes zero: cosine and sine of the
// smaller angle.
__device__ inline void rotation(REAL low, REAL high, REAL off, REAL& cosine, REAL& sine) {
    REAL theta = (high - low) / (2 * off);
    REAL tangent = with_sign(1, theta) / (magnitude(theta) + root(theta * theta + 1));
    cosine = 1 / root(tangent * tangent + 1);
    sine = tangent * cosine;
}

__device__ inline void rotate(REAL& x, REAL& y, REAL cosine, REAL sine) {
    REAL low = cosine * x - sine * y;
    y = sine * x + cosine * y;
    x = low;
}

// More rounds than any finite matrix takes.
#define SWEEPS 60
