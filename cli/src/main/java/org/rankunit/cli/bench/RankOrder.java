package org.rankunit.cli.bench;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What a rank is told by its command line.
 *
 * @param runtimeId number of the device in its runtime
 * @param meeting file for the ranks to find each other
 * @param timeout of each wait for other ranks
 * @param classPath of the user's algorithms
 */
record RankOrder(
        String platform,
        int device,
        int runtimeId,
        int rank,
        int ranks,
        Path meeting,
        long windowBytes,
        Duration timeout,
        int warmups,
        int iterations,
        boolean check,
        List<Path> classPath) {

    private static final int FIXED = 11;

    List<String> arguments() {
        List<String> arguments = new ArrayList<>(List.of(
                platform,
                String.valueOf(device),
                String.valueOf(runtimeId),
                String.valueOf(rank),
                String.valueOf(ranks),
                meeting.toString(),
                String.valueOf(windowBytes),
                String.valueOf(timeout.toSeconds()),
                String.valueOf(warmups),
                String.valueOf(iterations),
                String.valueOf(check)));
        classPath.forEach(place -> arguments.add(place.toString()));
        return arguments;
    }

    static RankOrder parse(String[] words) {
        return new RankOrder(
                words[0],
                Integer.parseInt(words[1]),
                Integer.parseInt(words[2]),
                Integer.parseInt(words[3]),
                Integer.parseInt(words[4]),
                Path.of(words[5]),
                Long.parseLong(words[6]),
                Duration.ofSeconds(Long.parseLong(words[7])),
                Integer.parseInt(words[8]),
                Integer.parseInt(words[9]),
                Boolean.parseBoolean(words[10]),
                Arrays.stream(words).skip(FIXED).map(Path::of).toList());
    }
}
