// The little that the tests need: named tests, and checks that say what was found.
#ifndef RANKUNIT_TEST_HARNESS_CHECK_H
#define RANKUNIT_TEST_HARNESS_CHECK_H

#include <sstream>
#include <stdexcept>
#include <string>

namespace rankunit::test {

class CheckFailed : public std::runtime_error {
    using std::runtime_error::runtime_error;
};

struct Registration {
    Registration(const char *name, void (*body)());
};

[[noreturn]] void failed(const char *file, int line, const std::string &text);

template <typename A, typename B>
void check_equal(const char *file, int line, const char *what, const A &actual, const B &expected) {
    if (actual == expected) return;
    std::ostringstream text;
    text << what << " is " << actual << ", expected " << expected;
    failed(file, line, text.str());
}

inline void check_contains(const char *file, int line, const std::string &text, const std::string &part) {
    if (text.find(part) == std::string::npos) failed(file, line, "\"" + text + "\" does not contain \"" + part + "\"");
}

}  // namespace rankunit::test

#define TEST(name)                                                          \
    static void name();                                                     \
    static const rankunit::test::Registration register_##name(#name, name); \
    static void name()

#define CHECK(condition) \
    if (!(condition)) rankunit::test::failed(__FILE__, __LINE__, #condition " does not hold")
#define CHECK_EQUAL(actual, expected) rankunit::test::check_equal(__FILE__, __LINE__, #actual, (actual), (expected))
#define CHECK_CONTAINS(text, part) rankunit::test::check_contains(__FILE__, __LINE__, (text), (part))

#endif  // RANKUNIT_TEST_HARNESS_CHECK_H
