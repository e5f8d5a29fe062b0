package org.rankunit.engine.slurm.files;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.rankunit.engine.config.files.RandomHex;
import org.rankunit.engine.protocol.FileAccess;
import org.rankunit.engine.protocol.wire.Newcomers;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Gives ranks on other nodes files of this machine, and takes theirs. Each connection has a thread. Thread-safe. */
final class FileServer implements AutoCloseable {

    private static final int TOKEN_BYTES = 32;

    /** How long a process that has connected may take to identify itself, however often it sends something. */
    static final Duration PATIENCE = Duration.ofSeconds(5);

    private final ServerSocket server;
    private final String host;
    private final String token = RandomHex.of(TOKEN_BYTES);
    private final FileRoots roots;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final LongSupplier clock;

    /** Those of {@link #open} that have not identified themselves. */
    private final Newcomers<Socket> newcomers;

    private FileServer(ServerSocket server, String host, FileRoots roots, LongSupplier clock) {
        this.server = server;
        this.host = host;
        this.roots = roots;
        this.clock = clock;
        this.newcomers = new Newcomers<>("a connection for files", PATIENCE, clock);
    }

    /**
     * Listen on any free port.
     *
     * @param host an address of this machine, in numbers
     */
    static FileServer listen(String host, FileRoots roots) throws IOException {
        return listen(host, roots, System::nanoTime);
    }

    /** @param clock counts as {@link System#nanoTime()} does */
    static FileServer listen(String host, FileRoots roots, LongSupplier clock) throws IOException {
        ServerSocket socket = new ServerSocket();
        FileServer server = new FileServer(socket, host, roots, clock);
        boolean complete = false;
        try {
            socket.bind(new InetSocketAddress(InetAddress.getByName(host), 0));
            server.inBackground("rankunit-files", server::accept);
            complete = true;
            return server;
        } finally {
            if (!complete) {
                socket.close();
            }
        }
    }

    /**
     * How ranks reach this server.
     *
     * @param folder where a rank keeps its copies, on its node
     */
    FileAccess access(String folder) {
        return new FileAccess(host, server.getLocalPort(), token, folder, "");
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket socket = server.accept();
                open.add(socket);
                newcomers.add(socket, socket.getRemoteSocketAddress());
                inBackground("rankunit-files-of-" + socket.getRemoteSocketAddress(), () -> serve(socket));
            } catch (IOException e) {
                if (!server.isClosed()) {
                    log().warn("A rank could not connect for its files", e);
                }
            }
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            TimedInput arriving = new TimedInput(socket, clock);
            if (isKnown(socket, arriving)) {
                arriving.takeAnyTime();
                new FileConnection(socket, arriving, roots).serve();
            }
        } catch (IOException e) {
            // A rank that needed an answer says so itself.
            log().debug("The connection for files of {} broke", socket, e);
        } finally {
            newcomers.refuse(socket, "it ended before it identified itself");
            open.remove(socket);
        }
    }

    /** Whether this is a rank of this run: then its first text is the token. */
    private boolean isKnown(Socket socket, TimedInput arriving) throws IOException {
        socket.setTcpNoDelay(true);
        arriving.takeAtMost(PATIENCE);
        try {
            if (FileConnection.presents(arriving, token)) {
                return newcomers.admit(socket);
            }
            newcomers.refuse(socket, "its token is not that of this run");
        } catch (SocketTimeoutException e) {
            newcomers.refuse(socket, "it did not identify itself within " + PATIENCE.toSeconds() + " s");
        }
        return false;
    }

    private void inBackground(String name, Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.start();
    }

    /** Ends all connections. */
    @Override
    public void close() {
        closeQuietly(server);
        open.forEach(FileServer::closeQuietly);
    }

    private static void closeQuietly(AutoCloseable socket) {
        try {
            socket.close();
        } catch (Exception e) {
            log().debug("{} cannot be closed", socket, e);
        }
    }

    private static Logger log() {
        return LoggerFactory.getLogger(FileServer.class);
    }
}
