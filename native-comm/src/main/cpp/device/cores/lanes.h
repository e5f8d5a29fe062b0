// The cores of one simulated device.
#ifndef RANKUNIT_DEVICE_CORES_LANES_H
#define RANKUNIT_DEVICE_CORES_LANES_H

#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <set>

#include "device/cores/interruption.h"

namespace rankunit::device {

enum class CoreKind : uint32_t { kVector = 0, kCube = 1 };

// How many cores of each kind a device has, and the bytes of their on-chip memory.
struct CoreLayout {
    uint32_t vector_cores;
    uint32_t cube_cores;
    std::array<size_t, 5> memory;  // by KernelMemory

    // of one device id of the platform "a2a3sim" or "a5sim"
    static const CoreLayout &a2a3();
    static const CoreLayout &a5();
};

// Which cores are taken. A core is a number, not a thread. Thread-safe.
class Lanes {
public:
    explicit Lanes(const CoreLayout &layout);

    uint32_t count(CoreKind kind) const { return counts_[static_cast<size_t>(kind)]; }

    // A core that is taken while the object lives.
    class Core {
    public:
        // The free one with the lowest number, waiting for one in a Workers::Pause. Throws what the interruption
        // throws.
        Core(Lanes &lanes, CoreKind kind, const Interruption &interruption);
        // One that has been taken already.
        Core(Lanes &lanes, CoreKind kind, uint32_t number) : lanes_(lanes), kind_(kind), number_(number) {}
        Core(const Core &) = delete;
        Core &operator=(const Core &) = delete;
        ~Core();

        CoreKind kind() const { return kind_; }
        uint32_t number() const { return number_; }

    private:
        Lanes &lanes_;
        const CoreKind kind_;
        uint32_t number_;
    };

    // The same without waiting, for who can do something else meanwhile: none if no core is free. A thread that takes a
    // core gives it back.
    std::optional<uint32_t> try_take(CoreKind kind);
    void give_back(CoreKind kind, uint32_t core);

    // What one block of a mixed kernel needs. All at once, since two that each held a part could wait forever.
    struct Mixed {
        uint32_t cube;
        std::array<uint32_t, 2> vector;
    };
    std::optional<Mixed> try_take_mixed();
    // The same, waiting as for a Core.
    Mixed take_mixed(const Interruption &interruption);

private:
    // Calls `try_take` until it returns a value, each time after a core was given back.
    template <typename TryTake>
    auto take(TryTake try_take, const Interruption &interruption);
    std::array<uint32_t, 2> counts_;
    std::atomic<uint32_t> given_back_{0};  // cores so far; a futex
    std::atomic<uint32_t> waiting_{0};     // threads for one
    std::mutex mutex_;                     // for what follows
    std::array<std::set<uint32_t>, 2> free_;
};

}  // namespace rankunit::device

#endif  // RANKUNIT_DEVICE_CORES_LANES_H
