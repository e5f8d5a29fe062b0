// How a backend reports an error: thrown inside, a code and a text outside.
#ifndef RANKUNIT_SUPPORT_FAILURE_H
#define RANKUNIT_SUPPORT_FAILURE_H

#include <cstddef>
#include <exception>
#include <new>
#include <stdexcept>
#include <string>

namespace rankunit {

// An error on its way to the C boundary. `code` is of the ABI that the throwing part belongs to.
class Failure : public std::runtime_error {
public:
    Failure(int code, const std::string &text) : std::runtime_error(text), code_(code) {}
    int code() const { return code_; }

private:
    int code_;
};

// "ftruncate: No space left on device", from errno.
std::string system_text(const char *call);

// Copies as much of `text` as there is room for, and its end.
void copy_text(const std::string &text, char *target, size_t capacity);

// Text of the last failure on a thread. Plain memory: it has to work when there is none left, and a library that
// is unloaded may leave no destructor behind in a thread.
class ErrorText {
public:
    void set(const char *text);
    const char *get() const { return text_; }

private:
    char text_[2048];
};

// Runs the body of a C function: nothing that it throws crosses the boundary.
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
