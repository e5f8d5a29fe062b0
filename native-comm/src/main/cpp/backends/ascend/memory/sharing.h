// Ways in which a process lets others map memory of its device. A machine, its driver and its CANN have some of them.
#ifndef RANKUNIT_BACKENDS_ASCEND_MEMORY_SHARING_H
#define RANKUNIT_BACKENDS_ASCEND_MEMORY_SHARING_H

#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace rankunit::ascend {

constexpr int32_t kNoFunctions = -1;  // instead of a vendor's code: this CANN lacks the functions
constexpr int32_t kNotWanted = -2;    // RANKUNIT_ASCEND_WINDOWS names another way
constexpr int32_t kNoLibrary = -3;    // there is no HCCL, or not all of it
constexpr int32_t kNotForDomains = -4;
constexpr int32_t kOneMachine = -5;  // the way is for one machine, and the ranks may be on several

// What a rank says of its window to those that are to map it.
struct Offer {
    int32_t refusal;        // why there is none, 0 if there is one
    int32_t process;        // id by which the driver knows it
    int32_t driver_device;  // id by which the driver knows the device
    uint32_t reserved;
    uint64_t bytes;
    unsigned char handle[128];
};

// The machine does not have this way: another one may be tried, and nothing has failed.
class Refusal : public std::runtime_error {
public:
    explicit Refusal(int32_t code) : std::runtime_error("refused"), code_(code) {}
    int32_t code() const { return code_; }

private:
    int32_t code_;
};

// One window of this rank, and its views of others'. Functions throw Refusal or VendorError; those that give back never
// do. All are called with the device's context current.
class Sharing {
public:
    explicit Sharing(int device) : device_(device) {}
    Sharing(const Sharing &) = delete;
    Sharing &operator=(const Sharing &) = delete;
    virtual ~Sharing() = default;

    // As RANKUNIT_ASCEND_WINDOWS has it, and in the words of an error.
    virtual const char *key() const = 0;
    virtual const char *name() const = 0;

    // Makes the window, of at least `bytes`, zero-filled before any other rank can see it.
    virtual void create(size_t bytes) = 0;
    virtual void *address() const = 0;
    virtual size_t bytes() const = 0;
    virtual void offer(Offer *offer) = 0;

    // Whether processes of other machines can map it.
    virtual bool spans_machines() const { return false; }

    // Whether the processes that may map it have to be named.
    virtual bool wants_names() const { return false; }
    virtual void admit(std::vector<int32_t> /*processes*/) {}

    virtual bool wants_peer_access() const { return true; }
    virtual void *view(const Offer &offer) = 0;

    virtual void close_views() noexcept = 0;
    virtual void free_own() noexcept = 0;

protected:
    // Throws Refusal for the codes by which the vendor says that there is no such way here, else as check_acl does.
    void check(int code, const std::string &call) const;
    virtual bool is_refusal(int code) const;
    void zero(void *address, size_t bytes) const;

    const int device_;
};

// In the order in which they are tried.
std::unique_ptr<Sharing> share_by_fabric_handle(int device);
std::unique_ptr<Sharing> share_by_handle(int device);
std::unique_ptr<Sharing> share_by_key(int device);

// The id by which the driver knows this process, in a container too.
int32_t process_of_driver(int device);

}  // namespace rankunit::ascend

#endif  // RANKUNIT_BACKENDS_ASCEND_MEMORY_SHARING_H
