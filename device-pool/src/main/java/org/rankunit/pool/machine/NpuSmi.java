package org.rankunit.pool.machine;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/**
 * Query {@code npu-smi}.
 *
 * @since 0.1
 */
@FunctionalInterface
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public interface NpuSmi {

    /** How long one call may take. */
    Duration PATIENCE = Duration.ofSeconds(10);

    /**
     * Call it with {@code arguments}, such as {@code info -m}, and wait until it ends.
     *
     * @return its output, or what went wrong; failures are never thrown
     */
    Answer ask(List<String> arguments);

    /**
     * Find the program on the {@code PATH} of {@code environment}, then in {@code /usr/local/bin} and
     * {@code /usr/local/sbin} below {@code root}. If it is in none of them, each answer says so.
     *
     * @param patience time limit of a call; the process is then killed together with its children
     */
    static NpuSmi find(Path root, Map<String, String> environment, Duration patience) {
        Stream<Path> onPath = Stream.of(environment.getOrDefault("PATH", "").split(":"))
                .filter(folder -> folder.startsWith("/"))
                .map(Path::of);
        Stream<Path> usual = Stream.of("usr/local/bin", "usr/local/sbin").map(root::resolve);
        return Stream.concat(onPath, usual)
                .map(folder -> folder.resolve("npu-smi"))
                .filter(program -> Files.isRegularFile(program) && Files.isExecutable(program))
                .findFirst()
                .<NpuSmi>map(program -> new NpuSmiProcess(program, patience))
                .orElse(arguments -> Answer.failed("npu-smi is not on the path"));
    }

    /**
     * Hold the result of a call.
     *
     * @param text the output; empty if something went wrong
     * @param problem what went wrong, without a full stop; empty if nothing did
     * @since 0.1
     */
    @API(status = API.Status.EXPERIMENTAL, since = "0.1")
    record Answer(String text, String problem) {

        /** Create the answer of a successful call. */
        public static Answer of(String text) {
            return new Answer(text, "");
        }

        /** Create the answer of a failed call. */
        public static Answer failed(String problem) {
            return new Answer("", problem);
        }

        boolean hasFailed() {
            return !problem.isEmpty();
        }
    }
}
