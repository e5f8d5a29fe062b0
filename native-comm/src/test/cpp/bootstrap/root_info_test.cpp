// Any text is read as a root info or refused in one way; what is read is what was written.
#include "bootstrap/root_info.h"

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "harness/check.h"
#include "rankunit/comm.h"
#include "support/failure.h"

namespace {

using rankunit::Failure;
using rankunit::bootstrap::Endpoint;
using rankunit::bootstrap::RootInfo;

constexpr int kRounds = 50'000;

// Whether it was read, and not refused.
bool reads(const std::string &text) {
    std::string again;
    try {
        again = RootInfo::parse(text, "this is no root info").text();
    } catch (const Failure &failure) {
        CHECK_EQUAL(failure.code(), COMM_MISMATCH);
        CHECK_CONTAINS(std::string(failure.what()), "this is no root info");
        return false;
    }
    // Without the line's end, which a program that passes the text on may leave out.
    CHECK_EQUAL(text.substr(0, again.size() - 1), again.substr(0, again.size() - 1));
    return true;
}

std::string of_endpoint() {
    Endpoint endpoint{};
    endpoint.address = "fe80::1";
    endpoint.port = 65535;
    endpoint.secret.high = 1;
    endpoint.secret.low = ~uint64_t{0};
    return RootInfo::of_endpoint(endpoint, 8).text();
}

std::vector<std::string> seeds() {
    return {RootInfo::of_this_process(5, 0xfedcba9876543210, 2).text(), of_endpoint(),
            "rankunit-rootinfo version=1 ns=4 pid=1 start=1 fd=3 token=1 nranks=2.\n"};
}

const std::vector<std::string> kNumbers = {"-1",
                                           "0",
                                           "00",
                                           "65536",
                                           "2147483648",
                                           "4294967296",
                                           "-9223372036854775808",
                                           "18446744073709551616",
                                           "99999999999999999999999999",
                                           " 1",
                                           "+1",
                                           "0x1"};

TEST(what_was_written_is_read) {
    for (const std::string &seed : seeds()) CHECK(reads(seed));
}

TEST(a_number_that_does_not_fit_is_refused) {
    const std::string before = "rankunit-rootinfo version=";
    for (const std::string &number : std::vector<std::string>{"4294967297", "+1", " 1", "01"}) {
        CHECK(!reads(before + number + " ns=4 pid=1 start=1 fd=3 token=1 nranks=2.\n"));
        CHECK(!reads(before + "1 ns=4 pid=1 start=1 fd=3 token=1 nranks=" + number + ".\n"));
        CHECK(!reads(before + "1 address=127.0.0.1 port=" + (number == "4294967297" ? "65537" : number) +
                     " secret=" + std::string(32, '1') + " nranks=2.\n"));
    }
}

std::string changed(const std::string &text, std::mt19937 &random) {
    const auto below = [&random](size_t bound) { return static_cast<size_t>(random() % bound); };
    std::string result = text;
    const size_t at = below(text.size() + 1);
    switch (below(7)) {
        case 0:
            result.erase(at, 1 + below(8));
            break;
        case 1:
            result.insert(at, 1, static_cast<char>(random()));
            break;
        case 2:
            result.insert(at, text.substr(below(text.size() + 1), below(64)));
            break;
        case 3:
            result.resize(at);
            break;
        case 4:
            result.insert(at, below(4096), '1');
            break;
        case 5:
            if (at < result.size()) result[at] = static_cast<char>(random());
            break;
        default: {
            const size_t from = text.find_first_of("0123456789", at);
            if (from == std::string::npos) break;
            const size_t to = std::min(text.find_first_not_of("0123456789", from), text.size());
            result.replace(from, to - from, kNumbers[below(kNumbers.size())]);
        }
    }
    return result;
}

TEST(any_text_is_read_or_refused) {
    std::mt19937 random(20261128);
    const std::vector<std::string> all = seeds();
    int read = 0;
    for (int round = 0; round < kRounds; round++) {
        std::string text = all[random() % all.size()];
        for (size_t changes = 1 + random() % 3; changes > 0; changes--) text = changed(text, random);
        if (reads(text)) read++;
    }
    CHECK(read > 0);
    CHECK(read < kRounds);
}

}  // namespace
