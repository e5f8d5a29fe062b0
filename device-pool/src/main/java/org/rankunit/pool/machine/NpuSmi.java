package org.rankunit.pool.machine;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/**
 * Ask {@code npu-smi} for what it tells.
 *
 * @since 0.1
 */
@FunctionalInterface
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public interface NpuSmi {

    /** How long one call may take. */
    Duration PATIENCE = Duration.ofSeconds(10);

    /**
     * Call it with {@code arguments}, such as {@code info -m}, and wait for its end.
     *
     * @return what it wrote, or what went wrong; never an exception
     */
    Answer ask(List<String> arguments);

    /**
     * Find the program on the {@code PATH} of {@code environment}, then in {@code /usr/local/bin} and
     * {@code /usr/local/sbin} below {@code root}. Where it is in none of them, each answer says so.
     *
     * @param patience after which a call is ended, together with its children
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
     * Hold what came of a call.
     *
     * @param text what it wrote; empty where something went wrong
     * @param problem what went wrong, without a full stop; empty where nothing did
     * @since 0.1
     */
    @API(status = API.Status.EXPERIMENTAL, since = "0.1")
    record Answer(String text, String problem) {

        /** Say what it wrote. */
        public static Answer of(String text) {
            return new Answer(text, "");
        }

        /** Say what went wrong. */
        public static Answer failed(String problem) {
            return new Answer("", problem);
        }

        boolean hasFailed() {
            return !problem.isEmpty();
        }
    }
}
