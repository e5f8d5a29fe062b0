// How a backend reports an error: as an exception internally, as a code and a text at the C boundary.
#ifndef RANKUNIT_SUPPORT_FAILURE_H
#define RANKUNIT_SUPPORT_FAILURE_H

#include <cstddef>
#include <exception>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>

namespace rankunit {

// An error on its way to the C boundary. `code` is a status of the ABI that the throwing part belongs to.
class Failure : public std::runtime_error {
public:
    Failure(int code, const std::string &text) : std::runtime_error(text), code_(code) {}
    int code() const { return code_; }

private:
    int code_;
};

// What a Failure says, to keep and to throw on another thread: a copy of an exception shares its text with the
// original.
struct FailureRecord {
    int code;
    std::string text;

    explicit FailureRecord(const Failure &failure) : code(failure.code()), text(failure.what()) {}
    FailureRecord(int of_code, std::string of_text) : code(of_code), text(std::move(of_text)) {}
    [[noreturn]] void raise() const { throw Failure(code, text); }
};

// "ftruncate: No space left on device", from errno.
std::string system_text(const char *call);

// Copies as much of `text` as fits, with a terminating 0.
void copy_text(const std::string &text, char *target, size_t capacity);

// The text of the last failure on a thread. Plain memory, since it must work when no memory is left, and an unloaded
// library must not leave a destructor behind in a thread.
class ErrorText {
public:
    void set(const char *text);
    const char *get() const { return text_; }

private:
    char text_[2048];
};

// Runs the body of a C function and converts exceptions, so that none crosses the boundary.
template <typename Body>
int guarded(ErrorText &error, int out_of_memory, int other, Body body) noexcept {
    try {
        body();
        return 0;
    } catch (const Failure &failure) {
        error.set(failure.what());
        return failure.code();
    } catch (const std::bad_alloc &) {
        error.set("out of host memory");
        return out_of_memory;
    } catch (const std::exception &exception) {
        error.set(exception.what());
        return other;
    } catch (...) {
        error.set("an exception of unknown type");
        return other;
    }
}

}  // namespace rankunit

#endif  // RANKUNIT_SUPPORT_FAILURE_H
