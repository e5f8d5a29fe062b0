#include "bootstrap/network/hello.h"

#include <poll.h>
#include <unistd.h>

#include <cstring>
#include <utility>

#include "rankunit/comm.h"
#include "support/failure.h"

namespace rankunit::bootstrap {
namespace {

constexpr int kCheckMs = 10;

// The wait of a rank for rank 0.
class Introduction {
public:
    Introduction(const Endpoint &endpoint, const Hello &hello, const Deadline &deadline,
                 const std::function<void()> &check)
        : endpoint_(endpoint), hello_(hello), deadline_(deadline), check_(check) {}

    Connection make() {
        UniqueFd socket = begin_to_connect(endpoint_);
        if (!socket) return Connection();
        wait(socket.get(), POLLOUT, "to accept its connection");
        if (!is_connected(socket, endpoint_)) return Connection();
        Connection connection(std::move(socket));
        connection.queue(std::string(reinterpret_cast<const char *>(&hello_), sizeof(hello_)));
        connection.flush();
        return is_let_in(connection) ? std::move(connection) : Connection();
    }

private:
    bool is_let_in(Connection &connection) const {
        const std::optional<std::string> head = receive(connection, sizeof(Answer));
        if (!head.has_value()) return false;
        Answer answer{};
        std::memcpy(&answer, head->data(), sizeof(answer));
        if (answer.code == COMM_OK) return true;
        if (answer.bytes > kMaxAnswer)
            throw Failure(COMM_MISMATCH, "what listens at " + endpoint_.text() + " is not rank 0");
        const std::optional<std::string> text = receive(connection, answer.bytes);
        if (!text.has_value()) return false;
        throw Failure(static_cast<int>(answer.code), *text);
    }

    std::optional<std::string> receive(Connection &connection, size_t bytes) const {
        for (bool open = true;; open = connection.receive()) {
            std::optional<std::string> taken = connection.take(bytes);
            if (taken.has_value() || !open) return taken;
            wait(connection.fd(), POLLIN, "to let it in");
        }
    }

    void wait(int socket, short events, const char *what) const {
        pollfd ready{socket, events, 0};
        while (poll(&ready, 1, kCheckMs) <= 0) {
            check_();
            if (!deadline_.passed()) continue;
            throw Failure(COMM_TIMEOUT, "rank " + std::to_string(hello_.rank) + " waited " +
                                            std::to_string(deadline_.waited_ms()) + " ms for rank 0, at " +
                                            endpoint_.text() + ", " + what);
        }
    }

    const Endpoint &endpoint_;
    const Hello hello_;
    const Deadline &deadline_;
    const std::function<void()> &check_;
};

}  // namespace

std::string answer_of(int code, const std::string &text) {
    const std::string cut = text.substr(0, kMaxAnswer);
    const Answer answer{static_cast<uint32_t>(code), static_cast<uint32_t>(cut.size())};
    return std::string(reinterpret_cast<const char *>(&answer), sizeof(answer)) + cut;
}

Connection introduce(const Endpoint &endpoint, uint32_t rank, uint32_t nranks, const Deadline &deadline,
                     const std::function<void()> &check) {
    const Hello hello{kHelloMagic, endpoint.secret, COMM_ABI_VERSION, nranks, rank, getpid()};
    return Introduction(endpoint, hello, deadline, check).make();
}

}  // namespace rankunit::bootstrap
