#include "abi/known_places.h"

#include <algorithm>

namespace rankunit::abi {
namespace {

// The native method and the Java method that calls it, which calls both find and learn.
constexpr size_t kOwnFrames = 2;
constexpr size_t kMostFrames = 64;
// A test that calls from ever new depths of a recursion must not fill the memory.
constexpr size_t kMostNodes = 1 << 16;

}  // namespace

size_t KnownPlaces::Hash::operator()(const Key &key) const {
    const uint64_t words[] = {reinterpret_cast<uintptr_t>(key.before), reinterpret_cast<uintptr_t>(key.frame.method),
                              static_cast<uint64_t>(key.frame.instruction)};
    uint64_t hash = 0;
    for (const uint64_t word : words) {
        hash = (hash ^ word) * 0x9E3779B97F4A7C15;
        hash ^= hash >> 32;
    }
    return hash;
}

const std::string *KnownPlaces::find() {
    static thread_local Node *last = nullptr;
    JavaFrame frames[kMostFrames];
    const std::lock_guard<std::mutex> lock(mutex_);
    Node *node = &root_;
    size_t seen = 0;
    size_t expected = last == nullptr ? 0 : last->frames_of_next;
    while (node->ahead != 0) {
        const size_t count = java_stack(kOwnFrames + seen, frames, std::max(node->ahead, expected));
        if (count == 0) return nullptr;
        for (size_t i = 0; i < count && node->ahead != 0; i++, seen++) {
            const auto found = nodes_.find({node, frames[i]});
            if (found == nodes_.end()) return nullptr;
            node = &found->second;
        }
        expected = 0;
    }
    if (node == &root_) return nullptr;
    if (last != nullptr) last->frames_of_next = seen;
    last = node;
    return &node->text;
}

void KnownPlaces::learn(size_t count, const std::string &text) {
    JavaFrame frames[kMostFrames];
    if (count == 0 || count > kMostFrames || java_stack(kOwnFrames, frames, count) != count) return;
    const std::lock_guard<std::mutex> lock(mutex_);
    if (nodes_.size() + count > kMostNodes) return;
    Node *node = &root_;
    for (size_t i = 0; i < count; i++) {
        const size_t ahead = count - i;
        if (node->ahead == 0 || ahead < node->ahead) node->ahead = ahead;
        node = &nodes_[{node, frames[i]}];
    }
    node->text = text;
}

}  // namespace rankunit::abi
