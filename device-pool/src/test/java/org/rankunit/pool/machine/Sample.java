package org.rankunit.pool.machine;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;

/** A machine of files: nodes below a folder, and what {@code npu-smi} would write on it. */
public final class Sample {

    private final Path root;
    private final Map<String, NpuSmi.Answer> answers = new HashMap<>();

    private Sample(Path root) {
        this.root = root;
    }

    static Sample in(Path root) {
        return new Sample(root);
    }

    /** Takes all three samples of a machine, such as {@code a3}. */
    Sample ofKind(String kind) {
        return answering("info", text(kind + "-info.txt"))
                .answering("info -m", text(kind + "-mapping.txt"))
                .answering("info -t topo", text(kind + "-topo.txt"));
    }

    Sample answering(String arguments, String text) {
        answers.put(arguments, NpuSmi.Answer.of(text));
        return this;
    }

    Sample failing(String arguments, String problem) {
        answers.put(arguments, NpuSmi.Answer.failed(problem));
        return this;
    }

    Sample withNodes(String... names) {
        try {
            Files.createDirectories(root.resolve("dev"));
            for (String name : names) {
                Files.createFile(root.resolve("dev").resolve(name));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return this;
    }

    Sample withDevices(int first, int last) {
        return withNodes(IntStream.rangeClosed(first, last)
                .mapToObj(id -> "davinci" + id)
                .toArray(String[]::new));
    }

    /** A link to nowhere can be opened by nobody, not even by root. */
    Sample withClosedDevice(int id) {
        try {
            Files.createDirectories(root.resolve("dev"));
            Files.createSymbolicLink(root.resolve("dev/davinci" + id), Path.of("nowhere"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return this;
    }

    Machine machine() {
        return Machine.detect(root, this::answer);
    }

    private NpuSmi.Answer answer(List<String> arguments) {
        NpuSmi.Answer otherwise =
                answers.isEmpty() ? NpuSmi.Answer.failed("npu-smi is not on the path") : NpuSmi.Answer.of("");
        return answers.getOrDefault(String.join(" ", arguments), otherwise);
    }

    public static String text(String name) {
        try (InputStream in = Objects.requireNonNull(Sample.class.getResourceAsStream(name), name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
