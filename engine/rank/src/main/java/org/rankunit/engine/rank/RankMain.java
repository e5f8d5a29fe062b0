package org.rankunit.engine.rank;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.rankunit.engine.protocol.FromRank;
import org.rankunit.engine.protocol.RankPlace;
import org.rankunit.engine.protocol.ToRank;
import org.rankunit.engine.protocol.wire.Channel;
import org.rankunit.engine.protocol.wire.ControlAddress;
import org.rankunit.engine.rank.evidence.RankConsole;
import org.rankunit.engine.rank.parent.Introduction;
import org.rankunit.engine.rank.parent.LostParentException;
import org.rankunit.engine.rank.parent.ParentWatch;
import org.rankunit.engine.rank.parent.SlurmTask;

/**
 * Entry point of a rank JVM. Arguments: the number of the rank, or {@value #TASK} for a task of a cluster's step, which knows its
 * number from its environment; and where the parent listens. If it is started by hand, the path of the file with the token follows,
 * which otherwise is its input.
 */
public final class RankMain {

    /** In place of a number: this process is a task of a Slurm step. */
    public static final String TASK = "slurm";

    /** Exit code of a rank that failed for a reason other than a test. */
    private static final int BROKEN = 4;

    private RankMain() {}

    /** Serve the parent until it asks to exit or is gone. */
    public static void main(String[] args) throws IOException {
        RankConsole.keep();
        SlurmTask task = args[0].equals(TASK) ? SlurmTask.of(System.getenv()) : null;
        int rank = task == null ? Integer.parseInt(args[0]) : task.rank();
        boolean isManual = args.length > 2;
        String token = isManual ? Files.readString(Path.of(args[2])).strip() : readToken(System.in);
        if (!isManual) {
            ParentWatch.start(System.in);
        }
        // The parent sends nothing more. A test that reads its input gets the end of the stream and does not wait.
        System.setIn(InputStream.nullInputStream());
        RankPlace place =
                task == null ? null : task.place(ProcessHandle.current().pid());
        int exit;
        Consumer<Channel> watch = task == null ? channel -> {} : ParentWatch.expectSigns();
        FromRank.Hello hello = new FromRank.Hello(Channel.PROTOCOL, rank, token, place);
        try (Introduction parent = Introduction.to(ControlAddress.of(args[1]), hello, watch)) {
            exit = serve(rank, parent, isManual);
        }
        ParentWatch.awaitEnd();
        System.exit(exit);
    }

    /** Errors are logged before the channel closes, because the parent then looks for the reason in the log. */
    private static int serve(int rank, Introduction parent, boolean isManual) {
        try {
            ToRank first = parent.awaitFirst();
            return RankServer.serve(rank, parent.channel(), first, isManual);
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
