package org.rankunit.engine.rank;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.rankunit.engine.control.Channel;
import org.rankunit.engine.control.FromRank;
import org.rankunit.engine.control.RecordCodec;

/** Entry point of a rank JVM. Arguments: the number of the rank, and the path of the control socket. */
public final class RankMain {

    private static final int LOST_PARENT = 3;

    private RankMain() {}

    /** Serve the parent until it says to end, or is gone. */
    public static void main(String[] args) throws IOException {
        int rank = Integer.parseInt(args[0]);
        BufferedReader stdin = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        String token = stdin.readLine();
        watchParent(stdin);
        SocketChannel socket = SocketChannel.open(UnixDomainSocketAddress.of(Path.of(args[1])));
        int exit;
        try (Channel channel = new Channel(socket, new RecordCodec())) {
            channel.send(
                    new FromRank.Hello(
                            Channel.PROTOCOL, rank, ProcessHandle.current().pid(), token == null ? "" : token),
                    FromRank.class);
            exit = RankServer.serve(rank, channel);
        }
        System.exit(exit);
    }

    /** The parent keeps the other end of our input open and writes nothing more: its end is the parent's end. */
    private static void watchParent(BufferedReader stdin) {
        Thread watch = new Thread(() -> {
            try {
                while (stdin.readLine() != null) {
                    // Nothing is said here.
                }
            } catch (IOException e) {
                System.err.println("rankunit: lost the parent: " + e);
            }
            Runtime.getRuntime().halt(LOST_PARENT);
        });
        watch.setName("rankunit-parent-watch");
        watch.setDaemon(true);
        watch.start();
    }

    static void lostParent() {
        Runtime.getRuntime().halt(LOST_PARENT);
    }
}
