// Whether the devices of this process can go on by themselves, or only wait.
#ifndef RANKUNIT_DEVICE_CORES_ACTIVITY_H
#define RANKUNIT_DEVICE_CORES_ACTIVITY_H

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <mutex>
#include <set>
#include <string>
#include <vector>

namespace rankunit::device {

// Counts the threads that work for a device, and knows what all others wait for. If no thread works and no wait is
// over, only another process, or a thread that is none of the devices', can change anything. Thread-safe.
class Activity {
public:
    using Text = std::function<std::string()>;

    // The time-out of a wait that has none.
    static constexpr std::chrono::milliseconds kForEver = std::chrono::milliseconds::max();

    // Never destroyed, since threads may still wait when the process ends.
    static Activity &of_process();

    // While it lives, this thread works for a device, but for its Waits.
    class Work {
    public:
        explicit Work(Activity &activity = of_process());
        Work(const Work &) = delete;
        Work &operator=(const Work &) = delete;
        ~Work();

    private:
        friend class Activity;
        struct Announced {};
        Work(Activity &activity, Announced);
        Activity &activity_;
    };

    // Work that some thread will do: it counts from now on. That thread calls begin_announced.
    void announce_work();
    Work begin_announced() { return Work(*this, Work::Announced{}); }

    // Names this thread in the texts of its waits as long as it lives: "stream 2".
    class Name {
    public:
        explicit Name(const Text &text);
        Name(const Name &) = delete;
        Name &operator=(const Name &) = delete;
        ~Name();

    private:
        const Text *const before_;
    };

    // While it lives, this thread waits for something that may never happen.
    class Wait {
    public:
        // `what`, whose text may be empty, and `over`, which says whether the wait need not go on, are called from
        // other threads. They may take locks that this thread does not hold when it makes and destroys the Wait. One
        // that ends soon by its time-out counts as over.
        Wait(Text what, std::function<bool()> over, std::chrono::milliseconds timeout);
        Wait(const Wait &) = delete;
        Wait &operator=(const Wait &) = delete;
        ~Wait();

    private:
        friend class Activity;
        std::string text() const;

        const std::string who_;
        const bool by_host_;  // by a thread that does not work for a device
        const bool worked_;   // this thread, before; not within another Wait
        const Text what_;
        const std::function<bool()> over_;
        const bool ends_soon_;
    };

    // Two snapshots with the same number of changes, neither of which works, prove that nothing happened between them.
    struct Snapshot {
        bool works;
        bool host_waits;
        uint64_t changes;
        std::vector<std::string> waits;  // texts, those of the host first
    };
    Snapshot snapshot();

private:
    void add(int64_t working);

    std::atomic<int64_t> working_{0};
    std::atomic<uint64_t> changes_{0};
    std::mutex mutex_;  // held while a wait is looked at, so that it lives
    std::set<const Wait *> waits_;
};

}  // namespace rankunit::device

#endif  // RANKUNIT_DEVICE_CORES_ACTIVITY_H
