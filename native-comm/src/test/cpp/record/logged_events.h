// Reading event logs in tests.
#ifndef RANKUNIT_TEST_RECORD_LOGGED_EVENTS_H
#define RANKUNIT_TEST_RECORD_LOGGED_EVENTS_H

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "harness/check.h"
#include "record/format.h"
#include "support/unique_fd.h"

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
    // Maps the file, as readers of a log that is being written must: read() does not say in which order it copies, and
    // the kind of an event tells of its other words only to who reads it before them.
    explicit LoggedEvents(const std::string &path) {
        const UniqueFd fd(open(path.c_str(), O_RDONLY | O_CLOEXEC));
        struct stat status{};
        CHECK(fstat(fd.get(), &status) == 0);
        const auto bytes = static_cast<size_t>(status.st_size);
        CHECK(bytes >= record::kHeaderBytes);
        const std::unique_ptr<void, std::function<void(void *)>> mapped(
            mmap(nullptr, bytes, PROT_READ, MAP_SHARED, fd.get(), 0), [bytes](void *at) { munmap(at, bytes); });
        CHECK(mapped.get() != MAP_FAILED);
        const auto *header = static_cast<const record::LogHeader *>(mapped.get());
        CHECK_EQUAL(header->magic.load(std::memory_order_acquire), record::kLogMagic);
        capacity = header->capacity;
        appended = header->appended.load(std::memory_order_relaxed);
        dropped = header->dropped.load(std::memory_order_relaxed);
        CHECK_EQUAL(bytes, record::kHeaderBytes + capacity * record::kEventBytes);
        const auto *events =
            reinterpret_cast<const record::Event *>(static_cast<const char *>(mapped.get()) + record::kHeaderBytes);
        for (uint64_t i = 0; i < capacity; i++) add(events[i]);
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
    void add(const record::Event &event) {
        const auto kind = static_cast<record::Kind>(event.kind.load(std::memory_order_acquire));
        if (kind == record::kNone) return;
        Logged logged{event.begin, event.end, kind, event.actor, {}};
        std::copy(std::begin(event.words), std::end(event.words), logged.words.begin());
        if (kind == record::kText) {
            add_text(logged);
        } else {
            all.push_back(logged);
        }
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
