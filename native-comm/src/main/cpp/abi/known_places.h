// The places of a test from which it has called RankUnit: what the frames of its stack mean, which only Java can say. A
// tree: each frame leads to the next one, and the last one that matters has the text.
#ifndef RANKUNIT_ABI_KNOWN_PLACES_H
#define RANKUNIT_ABI_KNOWN_PLACES_H

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <unordered_map>

#include "abi/java_stack.h"

namespace rankunit::abi {

// Thread-safe, and never destroyed, since threads refer to it. A method of a class that is unloaded is never mistaken
// for another one, since HotSpot does not use its number again.
class KnownPlaces {
public:
    // The text for the stack of this thread, empty if there is none to tell; null if that is not known. It stays.
    const std::string *find();

    // The text for all stacks that begin as that of this thread does, up to so many frames.
    void learn(size_t frames, const std::string &text);

private:
    // What is known of all stacks that begin with the same frames.
    struct Node {
        // The fewest frames that decide, from here on; 0 if no further one matters. To see a frame that is not needed
        // takes longer than to go through others again, since what the JVM reads for it is seldom in the cache.
        size_t ahead = 0;
        // How many frames decided the place that a thread told after this one: most tests go the same way again, and to
        // ask for frames in parts takes longer.
        size_t frames_of_next = 0;
        std::string text;
    };

    struct Key {
        const Node *before;
        JavaFrame frame;

        bool operator==(const Key &other) const {
            return before == other.before && frame.method == other.frame.method &&
                   frame.instruction == other.frame.instruction;
        }
    };

    struct Hash {
        size_t operator()(const Key &key) const;
    };

    std::mutex mutex_;
    Node root_;
    std::unordered_map<Key, Node, Hash> nodes_;
};

}  // namespace rankunit::abi

#endif  // RANKUNIT_ABI_KNOWN_PLACES_H
