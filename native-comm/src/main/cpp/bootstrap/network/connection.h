// One end of a TCP connection, which never blocks.
#ifndef RANKUNIT_BOOTSTRAP_NETWORK_CONNECTION_H
#define RANKUNIT_BOOTSTRAP_NETWORK_CONNECTION_H

#include <cstddef>
#include <optional>
#include <string>

#include "bootstrap/network/frame.h"
#include "support/unique_fd.h"

namespace rankunit::bootstrap {

// For one thread at a time. A broken connection takes everything and sends nothing: its end is known by `receive`,
// which first returns what the peer had sent before.
class Connection {
public:
    Connection() = default;
    // The socket must be non-blocking.
    explicit Connection(UniqueFd socket);

    explicit operator bool() const { return static_cast<bool>(socket_); }
    int fd() const { return socket_.get(); }

    // Keeps bytes until `flush` sends as many as the socket takes.
    void queue(const std::string &bytes) { unsent_ += bytes; }
    void flush();
    size_t unsent() const { return unsent_.size() - sent_; }
    // Tells the peer that nothing more comes.
    void finish();

    // Reads what is there, or a part of it. False once the peer has finished or the connection is broken.
    bool receive();
    // The next bytes; nothing if not so many are there yet.
    std::optional<std::string> take(size_t bytes);
    // The next frame, if all of it is there. Throws if there is something else.
    std::optional<Frame> take_frame();

private:
    UniqueFd socket_;
    std::string unsent_;
    size_t sent_ = 0;  // of `unsent_`
    std::string received_;
    size_t taken_ = 0;  // of `received_`
};

}  // namespace rankunit::bootstrap

#endif  // RANKUNIT_BOOTSTRAP_NETWORK_CONNECTION_H
