// Who is let in by a rank 0 that listens on a network, and who is not.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstring>
#include <fstream>
#include <memory>

#include "bootstrap/network/frame.h"
#include "bootstrap/network/hello.h"
#include "bootstrap/network_ranks.h"
#include "bootstrap/root_info.h"
#include "rankunit/comm.h"
#include "support/unique_fd.h"

using namespace rankunit::test;
using rankunit::UniqueFd;
using rankunit::bootstrap::Answer;
using rankunit::bootstrap::Endpoint;
using rankunit::bootstrap::Hello;
using rankunit::bootstrap::kHelloMagic;
using rankunit::bootstrap::RootInfo;

namespace {

// A connection that does what no rank does. Blocks, for at most 10 s.
class Stranger {
public:
    explicit Stranger(const Endpoint &endpoint) : socket_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_port = htons(endpoint.port);
        CHECK_EQUAL(inet_pton(AF_INET, endpoint.address.c_str(), &address.sin_addr), 1);
        const timeval most{10, 0};
        CHECK_EQUAL(setsockopt(socket_.get(), SOL_SOCKET, SO_RCVTIMEO, &most, sizeof(most)), 0);
        CHECK_EQUAL(connect(socket_.get(), reinterpret_cast<sockaddr *>(&address), sizeof(address)), 0);
    }

    void say(const std::string &bytes) const {
        CHECK_EQUAL(send(socket_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL), static_cast<ssize_t>(bytes.size()));
    }
    void say(const Hello &hello) const { say(std::string(reinterpret_cast<const char *>(&hello), sizeof(hello))); }
    // Exactly so many bytes; fewer at the end of the connection.
    std::string hear(size_t bytes) const {
        std::string heard(bytes, '\0');
        const ssize_t got = recv(socket_.get(), &heard[0], bytes, MSG_WAITALL);
        heard.resize(got > 0 ? static_cast<size_t>(got) : 0);
        return heard;
    }

private:
    UniqueFd socket_;
};

RootInfo await_root_info(const std::string &path) {
    std::optional<RootInfo> info;
    await("the file of rank 0", [&] { return (info = RootInfo::read(path)).has_value(); });
    return *info;
}

Hello hello_to(const RootInfo &info, uint32_t rank) {
    return Hello{kHelloMagic, info.endpoint->secret, COMM_ABI_VERSION, static_cast<uint32_t>(info.nranks), rank,
                 getpid()};
}

Outcome fail_to_come_up(int rank, int nranks, const std::string &path, int64_t timeout_ms = 20'000) {
    return fail([&] { NetworkRank(rank, nranks, path, timeout_ms).up(); });
}

}  // namespace

TEST(strangers_are_not_answered_and_disturb_nobody) {
    const MeetAddress address;
    const TempFolder folder;
    const std::string path = folder.file("root");
    Process owner([&] { NetworkRank(0, 2, path).up().barrier(); });
    const RootInfo info = await_root_info(path);
    const Stranger silent(*info.endpoint);
    const Stranger hasty(*info.endpoint);
    hasty.say("GET ");
    const Stranger loud(*info.endpoint);
    loud.say("GET / HTTP/1.1\r\nHost: a-host-with-a-long-name\r\n\r\n");
    CHECK_EQUAL(loud.hear(1), "");
    const Stranger guesser(*info.endpoint);
    Hello hello = hello_to(info, 1);
    hello.secret.low ^= 1;
    guesser.say(hello);
    CHECK_EQUAL(guesser.hear(1), "");
    for (const uint32_t too_large : {2u, 64u, UINT32_MAX}) {
        const Stranger large(*info.endpoint);
        large.say(hello_to(info, too_large));
        CHECK_EQUAL(large.hear(1), "");
    }
    NetworkRank(1, 2, path).up().barrier();
    CHECK_EQUAL(owner.wait(), 0);
}

TEST(silent_strangers_leave_room_for_ranks) {
    const MeetAddress address;
    const TempFolder folder;
    const std::string path = folder.file("root");
    Process owner([&] { NetworkRank(0, 2, path).up().barrier(); });
    const RootInfo info = await_root_info(path);
    std::vector<std::unique_ptr<Stranger>> strangers;
    for (int i = 0; i < 200; i++) strangers.push_back(std::make_unique<Stranger>(*info.endpoint));
    NetworkRank(1, 2, path).up().barrier();
    CHECK_EQUAL(owner.wait(), 0);
}

TEST(a_rank_with_another_secret_is_not_let_in) {
    const MeetAddress address;
    const TempFolder folder;
    const std::string path = folder.file("root");
    Process owner([&] { NetworkRank(0, 2, path).up().barrier(); });
    RootInfo info = await_root_info(path);
    const std::string right = info.text();
    info.endpoint->secret.high ^= 1;
    rankunit::bootstrap::Bootstrap guesser(1, 2, COMM_ROOTINFO_BY_JOIN);
    guesser.join(info.text());
    const auto [code, text] = fail([&] { guesser.open(); });
    CHECK_EQUAL(code, COMM_PEER_DIED);
    CHECK_EQUAL(text, "rank 0 (at " + info.endpoint->text() + ") is gone, or its communicator");
    {
        NetworkRank rank(1, 2, COMM_ROOTINFO_BY_JOIN);
        rank.bootstrap().join(right);
        rank.up().barrier();
    }
    CHECK_EQUAL(owner.wait(), 0);
}

TEST(different_numbers_of_ranks_are_named_on_both_sides) {
    const MeetAddress address;
    const TempFolder folder;
    run_ranks(2, [&](int rank) {
        const auto [code, text] = fail_to_come_up(rank == 0 ? 0 : 3, rank == 0 ? 2 : 4, folder.file("root"));
        CHECK_EQUAL(code, COMM_MISMATCH);
        CHECK_EQUAL(text, "rank 3 was started with nranks = 4, rank 0 with nranks = 2");
    });
    CHECK_EQUAL(folder.entries(), 0);
}

TEST(ranks_of_different_versions_are_named_on_both_sides) {
    const MeetAddress address;
    const TempFolder folder;
    const std::string path = folder.file("root");
    const std::string expected = "rank 1 was started with ABI version = 7, rank 0 with ABI version = 1";
    Process owner([&] {
        const auto [code, text] = fail_to_come_up(0, 2, path);
        CHECK_EQUAL(code, COMM_MISMATCH);
        CHECK_EQUAL(text, expected);
    });
    const RootInfo info = await_root_info(path);
    const Stranger other(*info.endpoint);
    Hello hello = hello_to(info, 1);
    hello.version = 7;
    other.say(hello);
    Answer answer{};
    const std::string head = other.hear(sizeof(answer));
    CHECK_EQUAL(head.size(), sizeof(answer));
    std::memcpy(&answer, head.data(), sizeof(answer));
    CHECK_EQUAL(answer.code, static_cast<uint32_t>(COMM_MISMATCH));
    CHECK_EQUAL(other.hear(answer.bytes), expected);
    CHECK_EQUAL(owner.wait(), 0);
}

TEST(a_rank_that_is_started_twice_is_named_on_all_sides) {
    const MeetAddress address;
    const TempFolder folder;
    run_ranks(3, [&](int process) {
        const auto [code, text] = fail_to_come_up(process == 0 ? 0 : 1, 3, folder.file("root"));
        CHECK_EQUAL(code, COMM_MISMATCH);
        CHECK_CONTAINS(text, "rank 1 was started twice: by process ");
    });
    CHECK_EQUAL(folder.entries(), 0);
}

TEST(a_rank_that_sends_what_is_no_frame_counts_as_dead) {
    const MeetAddress address;
    using rankunit::bootstrap::Frame;
    const std::string of_another = Frame::arrived(0, 1).bytes();
    std::string too_long = Frame::arrived(1, 1).bytes();
    too_long[3] = 1;
    std::string no_kind = Frame::left(1).bytes();
    no_kind[4] = 99;
    for (const std::string &bytes : {of_another, too_long, no_kind, std::string(64, '\0')}) {
        const TempFolder folder;
        const std::string path = folder.file("root");
        Process owner([&] {
            const auto [code, text] = fail_to_come_up(0, 2, path);
            CHECK_EQUAL(code, COMM_PEER_DIED);
            CHECK_CONTAINS(text, "rank 1 (process ");
        });
        const RootInfo info = await_root_info(path);
        const Stranger rank(*info.endpoint);
        rank.say(hello_to(info, 1));
        rank.say(bytes);
        CHECK_EQUAL(owner.wait(), 0);
    }
}

TEST(a_rank_waits_for_an_answer_until_its_deadline) {
    // Its backlog accepts connections, and nobody answers.
    const UniqueFd listener(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_in place{};
    place.sin_family = AF_INET;
    place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t bytes = sizeof(place);
    CHECK_EQUAL(bind(listener.get(), reinterpret_cast<sockaddr *>(&place), bytes), 0);
    CHECK_EQUAL(listen(listener.get(), 1), 0);
    CHECK_EQUAL(getsockname(listener.get(), reinterpret_cast<sockaddr *>(&place), &bytes), 0);
    const Endpoint endpoint{"127.0.0.1", ntohs(place.sin_port), {1, 2}};
    NetworkRank rank(1, 2, COMM_ROOTINFO_BY_JOIN, 200);
    rank.bootstrap().join(RootInfo::of_endpoint(endpoint, 2).text());
    const auto [code, text] = fail([&] { rank.bootstrap().open(); });
    CHECK_EQUAL(code, COMM_TIMEOUT);
    CHECK_CONTAINS(text, "rank 1 waited ");
    CHECK_CONTAINS(text, " ms for rank 0, at " + endpoint.text() + ", to let it in");
}

TEST(a_rank_0_that_is_gone_is_named) {
    uint16_t port = 0;
    {
        rankunit::bootstrap::listen_at("127.0.0.1", &port);
    }
    const Endpoint endpoint{"127.0.0.1", port, {1, 2}};
    NetworkRank rank(1, 2, COMM_ROOTINFO_BY_JOIN);
    rank.bootstrap().join(RootInfo::of_endpoint(endpoint, 2).text());
    const auto [code, text] = fail([&] { rank.bootstrap().open(); });
    CHECK_EQUAL(code, COMM_PEER_DIED);
    CHECK_EQUAL(text, "rank 0 (at " + endpoint.text() + ") is gone, or its communicator");
    CHECK_EQUAL(rank.bootstrap().aborted_by(), 0);
}

TEST(a_stale_file_is_told_from_a_living_rank_0) {
    const MeetAddress address;
    const TempFolder folder;
    const std::string path = folder.file("root");
    {
        Process owner([&] { NetworkRank(0, 2, path).up(); });
        await_root_info(path);
    }
    const auto [code, text] = fail_to_come_up(1, 2, path, 200);
    CHECK_EQUAL(code, COMM_TIMEOUT);
    CHECK_CONTAINS(text, "the file there is stale, its owner (at 127.0.0.1:");
    run_ranks(2, [&](int rank) { NetworkRank(rank, 2, path).up().barrier(); });
    CHECK_EQUAL(folder.entries(), 0);
}

TEST(a_root_info_that_was_cut_is_told_from_a_whole_one) {
    const Endpoint endpoint{"fe80::1234", 65535, {0x1234, 0x5678'9abc'def0'1234}};
    const std::string whole = RootInfo::of_endpoint(endpoint, 64).text();
    const RootInfo info = RootInfo::parse(whole, "");
    CHECK_EQUAL(info.endpoint->text(), "[fe80::1234]:65535");
    CHECK(info.endpoint->secret.equals(endpoint.secret));
    CHECK_EQUAL(info.nranks, 64);
    for (size_t length = 0; length + 1 < whole.size(); length++) {
        CHECK_EQUAL(fail([&] { RootInfo::parse(whole.substr(0, length), "complaint"); }).code, COMM_MISMATCH);
    }
}

TEST(an_address_that_is_none_of_this_machine_is_refused) {
    for (const char *wrong : {"localhost", "127.0.0.1:80", "0.0.0.0", "::", "203.0.113.7"}) {
        const MeetAddress address(wrong);
        rankunit::bootstrap::Bootstrap rank(0, 2, COMM_ROOTINFO_BY_JOIN);
        const auto [code, text] = fail([&] { rank.make_root_info(); });
        CHECK_EQUAL(code, COMM_INVALID_ARGUMENT);
        CHECK_CONTAINS(text, std::string("RANKUNIT_MEET_ADDRESS = \"") + wrong + "\": ");
        CHECK_CONTAINS(text, "expected the numeric IPv4 or IPv6 address by which the other ranks reach this machine");
    }
}
