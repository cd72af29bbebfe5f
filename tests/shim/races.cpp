// Races in shared memory: two threads of a block reach the same byte, one of them writes, and
// neither a barrier nor an operation of their warp lies between. The threads take turns here, so the
// values come out right; on a device they would not have to.

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <vector>

#include "checks.h"
#include "fibers.h"

namespace shim {

namespace {

/// The last write of a byte, and the last reads by two different threads.
struct Cell {
    Moment write, reads[2];
    bool is_written;
    unsigned char read_count;
};

/// Four bytes, which one cell stands for until a part is reached alone: in a line of the cache, because kernels reach
/// many of them in turn.
constexpr size_t WORD = 4;
struct alignas(64) Word {
    Cell whole;
    /// Where in `parts` the bytes' own cells are, counted from one on; 0 for none.
    uint32_t split;
};

std::vector<Word> words;
std::vector<std::array<Cell, WORD>> parts;

/// A write over another thread's write of the same moment is harmless if it changes nothing, which
/// is known at the thread's next step.
struct Doubt {
    const void* place = nullptr;
    size_t bytes;
    uint32_t block;
    char before[16];
    std::string text;
} doubt;

bool is_ordered(const Moment& earlier, const Moment& later) {
    if (earlier.thread == later.thread || earlier.barrier != later.barrier) return true;
    const bool is_same_warp = earlier.thread / 32 == later.thread / 32;
    return is_same_warp && later.warp_operation > earlier.warp_operation;
}

std::string describe(const char* verb, const Moment& earlier, const char* earlier_verb) {
    char text[160];
    snprintf(text, sizeof text, "a race: %s shared memory that thread %u %s, with nothing between them",
             verb, earlier.thread, earlier_verb);
    return text;
}

std::string settle(uint32_t block) {
    if (!doubt.place) return "";
    const void* place = doubt.place;
    doubt.place = nullptr;
    if (doubt.block != block) return "";
    return memcmp(place, doubt.before, doubt.bytes) ? doubt.text : "";
}

/// Notes an access of a cell. Gives the earlier one that it races with, or nothing.
const Moment* touch(Cell& known, const Moment& moment, bool is_write, const void* place, size_t bytes) {
    if (known.is_written && !is_ordered(known.write, moment)) {
        if (!is_write) return &known.write;
        if (!doubt.place && bytes <= sizeof doubt.before) {
            doubt.place = place;
            doubt.bytes = bytes;
            doubt.block = moment.block;
            memcpy(doubt.before, place, bytes);
            doubt.text = describe("overwrites", known.write, "wrote");
        }
    }
    if (is_write) {
        for (unsigned read = 0; read < known.read_count; ++read) {
            if (!is_ordered(known.reads[read], moment)) return &known.reads[read];
        }
        known.write = moment;
        known.is_written = true;
    } else {
        // Two readers are kept, so that one of them is not the thread that writes next.
        if (known.read_count && known.reads[0].barrier != moment.barrier) known.read_count = 0;
        const unsigned slot = known.read_count && known.reads[0].thread != moment.thread ? 1 : 0;
        known.reads[slot] = moment;
        known.read_count = std::max<unsigned char>(known.read_count, slot + 1);
    }
    return nullptr;
}

}  // namespace

bool race(size_t cell, size_t bytes, bool is_write, const void* place, std::string& wrong) {
    const Moment moment = now();
    if (doubt.place) {
        wrong = settle(moment.block);
        if (!wrong.empty()) return wrong += " (found at the next access)", true;
    }
    const size_t end = cell + bytes;
    if (words.size() * WORD < end) words.resize((end + WORD - 1) / WORD);
    for (size_t at = cell; at < end;) {
        Word& word = words[at / WORD];
        const bool is_whole = at % WORD == 0 && end - at >= WORD;
        if (!is_whole && !word.split) {
            parts.emplace_back().fill(word.whole);
            word.split = parts.size();
        }
        Cell& known = word.split ? parts[word.split - 1][at % WORD] : word.whole;
        at += word.split ? 1 : WORD;
        if (const Moment* other = touch(known, moment, is_write, place, bytes)) {
            wrong = is_write ? describe("writes", *other, "read") : describe("reads", *other, "wrote");
            return true;
        }
    }
    return false;
}

}  // namespace shim
