package org.rankunit.engine.protocol.wire;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;

/** Where the parent listens for the ranks of a group. {@link #of} reads the text of an address. */
public sealed interface ControlAddress {

    /** A socket in the file system, for ranks on the parent's machine. */
    record OfFile(Path file) implements ControlAddress {

        @Override
        public SocketAddress socketAddress() {
            return UnixDomainSocketAddress.of(file);
        }

        @Override
        public StandardProtocolFamily family() {
            return StandardProtocolFamily.UNIX;
        }

        @Override
        public String toString() {
            return file.toString();
        }
    }

    /**
     * A port, for ranks on other machines.
     *
     * @param host an address of the parent's machine, in numbers
     * @param port 0 for any free port, before the parent listens there
     */
    record OfPort(String host, int port) implements ControlAddress {

        private static final String SCHEME = "tcp:";

        @Override
        public SocketAddress socketAddress() {
            return new InetSocketAddress(host, port);
        }

        @Override
        public StandardProtocolFamily family() {
            return host.indexOf(':') < 0 ? StandardProtocolFamily.INET : StandardProtocolFamily.INET6;
        }

        @Override
        public String toString() {
            return SCHEME + host + ":" + port;
        }
    }

    /** Read an address: {@code tcp:host:port}, or the path of a socket. */
    static ControlAddress of(String text) {
        if (!text.startsWith(OfPort.SCHEME)) {
            return new OfFile(Path.of(text));
        }
        int colon = text.lastIndexOf(':');
        return new OfPort(text.substring(OfPort.SCHEME.length(), colon), Integer.parseInt(text.substring(colon + 1)));
    }

    /** The address for a socket. */
    SocketAddress socketAddress();

    /** The kind of socket that has such an address. */
    StandardProtocolFamily family();

    /** Connect to the parent. */
    default SocketChannel connect() throws IOException {
        SocketChannel socket = SocketChannel.open(socketAddress());
        sendAtOnce(socket);
        return socket;
    }

    /** Send each message at once: without this, TCP waits for more. */
    default void sendAtOnce(SocketChannel socket) throws IOException {
        if (family() != StandardProtocolFamily.UNIX) {
            socket.setOption(StandardSocketOptions.TCP_NODELAY, true);
        }
    }

    /** Open a socket that listens here. */
    default ServerSocketChannel listen() throws IOException {
        ServerSocketChannel server = ServerSocketChannel.open(family());
        try {
            return server.bind(socketAddress());
        } catch (IOException e) {
            server.close();
            throw e;
        }
    }

    /** The address at which a socket that was opened with {@link #listen} can be reached. */
    default ControlAddress reachedAt(ServerSocketChannel server) throws IOException {
        return this instanceof OfPort given && server.getLocalAddress() instanceof InetSocketAddress bound
                ? new OfPort(given.host(), bound.getPort())
                : this;
    }
}
