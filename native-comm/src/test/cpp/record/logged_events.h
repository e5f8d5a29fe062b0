// Reading event logs in tests.
#ifndef RANKUNIT_TEST_RECORD_LOGGED_EVENTS_H
#define RANKUNIT_TEST_RECORD_LOGGED_EVENTS_H

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "harness/check.h"
#include "record/format.h"

namespace rankunit::test {

struct Logged {
    uint64_t begin;
    uint64_t end;
    record::Kind kind;
    uint32_t actor;
    std::array<uint64_t, 5> words;
};

// What is in a log at the moment.
class LoggedEvents {
public:
    explicit LoggedEvents(const std::string &path) {
        std::ifstream file(path, std::ios::binary);
        const std::string bytes{std::istreambuf_iterator<char>(file), {}};
        CHECK(bytes.size() >= record::kHeaderBytes);
        CHECK_EQUAL(word(bytes, 0), record::kLogMagic);
        capacity = word(bytes, 24);
        appended = word(bytes, 40);
        dropped = word(bytes, 48);
        CHECK_EQUAL(bytes.size(), record::kHeaderBytes + capacity * record::kEventBytes);
        for (uint64_t i = 0; i < capacity; i++) {
            const size_t at = record::kHeaderBytes + i * record::kEventBytes;
            const uint64_t kind_and_actor = word(bytes, at + 16);
            Logged event{word(bytes, at),
                         word(bytes, at + 8),
                         static_cast<record::Kind>(kind_and_actor & UINT32_MAX),
                         static_cast<uint32_t>(kind_and_actor >> 32),
                         {}};
            if (event.kind == record::kNone) continue;
            for (size_t w = 0; w < 5; w++) event.words[w] = word(bytes, at + 24 + 8 * w);
            if (event.kind == record::kText) {
                add_text(event);
            } else {
                all.push_back(event);
            }
        }
    }

    std::vector<Logged> of(record::Kind kind) const {
        std::vector<Logged> found;
        for (const Logged &event : all) {
            if (event.kind == kind) found.push_back(event);
        }
        return found;
    }
    std::vector<Logged> of(record::Kind kind, uint32_t actor) const {
        std::vector<Logged> found;
        for (const Logged &event : of(kind)) {
            if (event.actor == actor) found.push_back(event);
        }
        return found;
    }
    Logged only(record::Kind kind) const {
        const std::vector<Logged> found = of(kind);
        CHECK_EQUAL(found.size(), 1u);
        return found.front();
    }
    std::string text(uint64_t number) const {
        const auto found = texts.find(number & UINT32_MAX);
        return found == texts.end() ? "" : found->second;
    }
    // The kinds of all events of an actor, in order: "21 12 22".
    std::string kinds_of(uint32_t actor) const {
        std::ostringstream kinds;
        for (const Logged &event : all) {
            if (event.actor == actor) kinds << (kinds.tellp() > 0 ? " " : "") << event.kind;
        }
        return kinds.str();
    }

    uint64_t capacity;
    uint64_t appended;
    uint64_t dropped;
    std::vector<Logged> all;  // without texts
    std::map<uint64_t, std::string> texts;

private:
    static uint64_t word(const std::string &bytes, size_t at) {
        uint64_t word = 0;
        std::memcpy(&word, bytes.data() + at, sizeof(word));
        return word;
    }

    void add_text(const Logged &event) {
        std::string &text = texts[event.words[0] & UINT32_MAX];
        const uint64_t offset = event.words[0] >> 32;
        CHECK_EQUAL(text.size(), offset);
        text.append(reinterpret_cast<const char *>(&event.words[1]),
                    std::min<uint64_t>(record::kTextChunkBytes, event.actor - offset));
    }
};

}  // namespace rankunit::test

#endif  // RANKUNIT_TEST_RECORD_LOGGED_EVENTS_H
