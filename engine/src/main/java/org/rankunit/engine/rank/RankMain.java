package org.rankunit.engine.rank;

import java.io.IOException;
import java.io.InputStream;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import org.rankunit.engine.control.FromRank;
import org.rankunit.engine.control.wire.Channel;
import org.rankunit.engine.control.wire.RecordCodec;
import org.rankunit.engine.rank.evidence.RankConsole;
import org.rankunit.engine.rank.parent.LostParentException;
import org.rankunit.engine.rank.parent.ParentWatch;

/**
 * Entry point of a rank JVM. Arguments: the number of the rank and the path of the control socket; then, if it is started by hand, the
 * path of the file with the token that otherwise is its input.
 */
public final class RankMain {

    /** Exit code of a rank that failed for a reason other than a test. */
    private static final int BROKEN = 4;

    private RankMain() {}

    /** Serve the parent until it asks to exit or is gone. */
    public static void main(String[] args) throws IOException {
        RankConsole.keep();
        int rank = Integer.parseInt(args[0]);
        boolean byHand = args.length > 2;
        String token = byHand ? Files.readString(Path.of(args[2])).strip() : readToken(System.in);
        if (!byHand) {
            ParentWatch.start(System.in);
        }
        // The parent sends nothing more. A test that reads its input gets the end of the stream and does not wait.
        System.setIn(InputStream.nullInputStream());
        SocketChannel socket = SocketChannel.open(UnixDomainSocketAddress.of(Path.of(args[1])));
        int exit;
        try (Channel channel = new Channel(socket, new RecordCodec())) {
            exit = serve(rank, channel, token, byHand);
        }
        ParentWatch.awaitEnd();
        System.exit(exit);
    }

    /** Errors are logged before the channel closes, because the parent then looks for the reason in the log. */
    private static int serve(int rank, Channel channel, String token, boolean byHand) {
        try {
            channel.send(new FromRank.Hello(Channel.PROTOCOL, rank, token), FromRank.class);
            return RankServer.serve(rank, channel, byHand);
        } catch (IOException | LostParentException e) {
            RankConsole.err().println("rankunit: the control channel broke: " + e);
            ParentWatch.channelEnded();
            return Channel.LOST_EXIT_CODE;
        } catch (RuntimeException | Error e) {
            e.printStackTrace(RankConsole.err());
            ParentWatch.leaving();
            return BROKEN;
        }
    }

    /** The token arrives on our input in one line; nothing follows it. */
    private static String readToken(InputStream input) throws IOException {
        StringBuilder token = new StringBuilder();
        for (int c = input.read(); c >= 0 && c != '\n'; c = input.read()) {
            token.append((char) c);
        }
        return token.toString();
    }
}
