package org.rankunit.engine.shake;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.rankunit.DeviceCount;
import org.rankunit.engine.config.ConfigKey;
import org.rankunit.engine.protocol.FromRank;

/**
 * The folder with the decisions of shaken tests that failed, a file for each rank, with which the decisions are compared when
 * a test is replayed. Thread-safe: groups work on separate threads.
 */
public final class ShakeFolder {

    private static final int MAX_CHARS = 100;
    private static final int HASH_CHARS = 8;

    private final Path folder;
    private final boolean replays;

    /**
     * Use a folder in that of the reports.
     *
     * @param replays whether the user has given the seed, so that files of earlier runs are kept and compared
     */
    public ShakeFolder(Path outputFolder, boolean replays) {
        this.folder = outputFolder.resolve("shake");
        this.replays = replays;
    }

    /** Keep or compare what was decided in a test; returns lines for its failure, or for a person if it passed. */
    public List<String> ended(ShakenTest test) {
        List<String> lines = new ArrayList<>();
        try {
            SortedMap<Integer, Path> earlier = filesOf(test);
            if (replays && !earlier.isEmpty()) {
                lines.add(comparison(test, earlier));
            } else if (test.failed()) {
                store(test);
            } else {
                delete(earlier);
            }
        } catch (IOException | RuntimeException e) {
            // A test must not end without a result because of a file.
            lines.add("its decisions cannot be kept or compared: " + e);
        }
        if (test.failed()) {
            lines.add(summary(test));
            lines.add("replay: -D" + ConfigKey.SIM_SHAKE.key() + "="
                    + test.shake().key() + " (its decisions: " + file(test, "*") + ")");
        }
        return lines;
    }

    private static String summary(ShakenTest test) {
        String shaken =
                "shaken: " + test.shake().text() + ", strategy " + test.shake().strategy() + ", ";
        long decisions = 0;
        long hash = 0;
        boolean ordersRanks = true;
        List<Integer> counted = test.ranks().keySet().stream()
                .filter(rank -> !test.released().contains(rank))
                .toList();
        for (int rank : counted) {
            FromRank.Shaken told = told(test, rank);
            decisions += told.decisions();
            hash = 31 * hash + told.hash();
            ordersRanks &= told.ordersRanks();
        }
        String others = test.released().stream().sorted().map(String::valueOf).collect(Collectors.joining(", "));
        return shaken
                + textOf(decisions, hash)
                + (ordersRanks ? "" : ", the order between ranks was not decided")
                + (others.isEmpty() ? "" : ", without those of rank " + others + ", which was released");
    }

    private static String textOf(long decisions, long hash) {
        return decisions + (decisions == 1 ? " decision" : " decisions") + ", hash " + String.format("%016x", hash);
    }

    private static FromRank.Shaken told(ShakenTest test, int rank) {
        FromRank.Shaken told = test.ranks().get(rank);
        if (told == null) {
            throw new IllegalArgumentException("rank " + rank + " told nothing");
        }
        return told;
    }

    private static Decisions decisions(ShakenTest test, int rank) throws IOException {
        FromRank.Shaken told = told(test, rank);
        return Decisions.told(
                textOf(told.decisions(), told.hash()),
                test.released().contains(rank),
                Files.readAllLines(Path.of(told.file())));
    }

    private void store(ShakenTest test) throws IOException {
        for (int rank : test.ranks().keySet()) {
            String title =
                    test.name() + " " + test.variant() + ", " + test.shake().key() + ", rank " + rank;
            decisions(test, rank).store(file(test, Integer.toString(rank)), title);
        }
    }

    private static void delete(Map<Integer, Path> files) throws IOException {
        for (Path file : files.values()) {
            Files.deleteIfExists(file);
        }
    }

    private static String comparison(ShakenTest test, Map<Integer, Path> earlier) throws IOException {
        List<String> unknown = new ArrayList<>();
        for (Map.Entry<Integer, Path> file : earlier.entrySet()) {
            int rank = file.getKey();
            if (!test.ranks().containsKey(rank)) {
                unknown.add(Integer.toString(rank));
                continue;
            }
            var difference = Decisions.read(file.getValue()).firstDifference(decisions(test, rank));
            if (difference.isPresent()) {
                return "replayed: it decided differently from the run that failed before, first on rank " + rank + ": "
                        + difference.get();
            }
        }
        if (unknown.size() == earlier.size()) {
            return "replayed: what it decided is not known, so it was not compared with the run that failed before";
        }
        return "replayed: it decided as the run that failed before did"
                + (unknown.isEmpty()
                        ? ""
                        : ", except for what is not known: that of rank " + String.join(", ", unknown))
                + (test.failed()
                        ? ""
                        : ", but passed; what made the difference is not decided by the simulator, such as how long a"
                                + " rank takes");
    }

    /** The files of an earlier run of the same test with the same seed, by rank. */
    private SortedMap<Integer, Path> filesOf(ShakenTest test) {
        SortedMap<Integer, Path> files = new TreeMap<>();
        IntStream.range(0, DeviceCount.MAX).forEach(rank -> {
            Path file = file(test, Integer.toString(rank));
            if (Files.exists(file)) {
                files.put(rank, file);
            }
        });
        return files;
    }

    /** For people, and different for different tests. */
    private Path file(ShakenTest test, String rank) {
        String readable = test.name().replaceAll("[^A-Za-z0-9._-]+", "-").replaceAll("-+$", "");
        String cut = readable.substring(0, Math.min(MAX_CHARS, readable.length()));
        String hash = UUID.nameUUIDFromBytes((test.variant() + test.uniqueId()).getBytes(StandardCharsets.UTF_8))
                .toString()
                .substring(0, HASH_CHARS);
        String seed = test.shake().key().replace(':', '-');
        return folder.resolve(cut + "-" + hash + "-" + seed + "-rank" + rank + ".txt");
    }
}
