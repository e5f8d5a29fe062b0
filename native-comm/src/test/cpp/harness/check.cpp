#include "harness/check.h"

#include <cstdio>
#include <exception>
#include <utility>
#include <vector>

namespace rankunit::test {
namespace {

std::vector<std::pair<const char *, void (*)()>> &tests() {
    static std::vector<std::pair<const char *, void (*)()>> all;
    return all;
}

}  // namespace

Registration::Registration(const char *name, void (*body)()) {
    tests().emplace_back(name, body);
}

void failed(const char *file, int line, const std::string &text) {
    throw CheckFailed(std::string(file) + ":" + std::to_string(line) + ": " + text);
}

}  // namespace rankunit::test

int main() {
    int failures = 0;
    for (const auto &[name, body] : rankunit::test::tests()) {
        try {
            body();
            std::printf("passed  %s\n", name);
        } catch (const std::exception &failure) {
            failures++;
            std::printf("FAILED  %s\n        %s\n", name, failure.what());
        }
        std::fflush(stdout);
    }
    return failures == 0 ? 0 : 1;
}
