package org.rankunit.engine.cases;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.rankunit.CurrentRank;
import org.rankunit.RankContext;

/** What each rank did, in files that the test which started the ranks reads. */
public final class Notes implements AutoCloseable {

    private static final String PROPERTY = "cases.notes";

    private final Path folder;

    private Notes(Path folder) {
        this.folder = folder;
    }

    /** Have the ranks of this JVM write their notes into {@code folder} from here on. */
    public static Notes in(Path folder) {
        System.setProperty(PROPERTY, folder.toString());
        return new Notes(folder);
    }

    /** The argument with which a rank writes its notes into {@code folder} from its very start on. */
    public static String asArgument(Path folder) {
        return "-D" + PROPERTY + "=" + folder;
    }

    /** Note something; called in a rank. */
    public static void add(String text) {
        try {
            Files.writeString(
                    fileOf(Path.of(System.getProperty(PROPERTY)), rankOfThisJvm()),
                    text + "\n",
                    StandardOpenOption.CREATE,
                    StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Which rank this JVM is to be, as its command says, also before it is up. */
    static int rankOfThisJvm() {
        String rank = System.getProperty("sun.java.command").split(" ", -1)[1];
        if (!rank.equals("slurm")) {
            return Integer.parseInt(rank);
        }
        Map<String, String> task = System.getenv();
        return Integer.parseInt(task.getOrDefault("SLURM_PROCID", "0"))
                + Integer.parseInt(task.getOrDefault("RANKUNIT_FIRST_RANK", "0"));
    }

    /** The rank that this JVM is. */
    public static RankContext rank() {
        return Objects.requireNonNull(CurrentRank.session()).context();
    }

    /** Whether this JVM is this rank, rather than another one or the parent. */
    public static boolean isRank(int rank) {
        return CurrentRank.session() != null && rank().rank() == rank;
    }

    /** The notes of one rank that begin so, in their order and without that beginning. */
    public List<String> of(int rank, String prefix) throws IOException {
        Path file = fileOf(folder, rank);
        if (!Files.exists(file)) {
            return List.of();
        }
        return Files.readAllLines(file).stream()
                .filter(line -> line.startsWith(prefix))
                .map(line -> line.substring(prefix.length()))
                .toList();
    }

    private static Path fileOf(Path folder, int rank) {
        return folder.resolve("notes-of-rank-" + rank);
    }

    @Override
    public void close() {
        System.clearProperty(PROPERTY);
    }
}
