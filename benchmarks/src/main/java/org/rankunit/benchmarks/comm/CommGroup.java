package org.rankunit.benchmarks.comm;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.rankunit.benchmarks.measure.OtherJvm;

/** Ranks in JVMs of their own, with a communicator that is up; all are told the same. */
final class CommGroup implements AutoCloseable {

    private final List<OtherJvm> ranks = new ArrayList<>();

    CommGroup(int worldSize, Path folder) throws IOException {
        this(worldSize, folder, List.of());
    }

    /** One whose JVMs have options of their own. */
    CommGroup(int worldSize, Path folder, List<String> options) throws IOException {
        for (int rank = 0; rank < worldSize; rank++) {
            ranks.add(new OtherJvm(
                    options, CommRank.class, Integer.toString(rank), Integer.toString(worldSize), folder.toString()));
        }
        for (OtherJvm rank : ranks) {
            rank.await("up");
        }
    }

    /** What each rank answers; {@code null} from one that has ended. */
    List<String> ask(String line) throws IOException {
        for (OtherJvm rank : ranks) {
            rank.say(line);
        }
        List<String> answers = new ArrayList<>();
        for (OtherJvm rank : ranks) {
            answers.add(String.valueOf(rank.hear()));
        }
        return answers;
    }

    double askFirst(String line) throws IOException {
        return Double.parseDouble(ask(line).get(0));
    }

    @Override
    public void close() {
        ranks.forEach(OtherJvm::close);
    }
}
