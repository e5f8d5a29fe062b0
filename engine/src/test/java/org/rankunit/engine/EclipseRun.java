package org.rankunit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.rankunit.engine.launch.command.ArchiveOfTests;
import org.rankunit.engine.launch.command.JavaOfTests;

/**
 * A run by Eclipse's own test runner, in a process of its own as the IDE starts it; this is the IDE's end of its socket.
 *
 * <p>Each message is a line: a header of eight characters, then fields. A text of several lines stands between two headers.
 */
final class EclipseRun implements AutoCloseable {

    private static final int HEADER = 8;
    private static final int MILLIS = 60_000;

    /** A node of the tree that the IDE shows. */
    record Node(String id, String name, boolean isTest, String displayName, String uniqueId) {}

    private final Path printed;
    private final Process process;
    private final Socket socket;
    private final BufferedReader messages;
    private final Map<String, Node> nodes = new LinkedHashMap<>();
    private final Map<String, String> started = new LinkedHashMap<>();
    private final Map<String, String> texts = new LinkedHashMap<>();
    private @Nullable String lastFailed;
    private @Nullable String end;

    private EclipseRun(Path printed, Process process, Socket socket) throws IOException {
        this.printed = printed;
        this.process = process;
        this.socket = socket;
        socket.setSoTimeout(MILLIS);
        this.messages = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
    }

    /**
     * Start a run.
     *
     * @param folder where the run has everything that it writes
     * @param what the arguments by which the IDE says what to run
     */
    static EclipseRun start(Path folder, String... what) throws IOException {
        ArchiveOfTests.prepare();
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            server.setSoTimeout(MILLIS);
            Path printed = folder.resolve("printed");
            List<String> command = JavaOfTests.command(
                    "-Xmx256m",
                    "-Djava.io.tmpdir=" + folder,
                    "-Drankunit.pool-dir=" + folder.resolve("pool"),
                    "-Drankunit.output-dir=" + folder.resolve("out"),
                    "-Drankunit.sim.devices=2",
                    "-Drankunit.durations=none",
                    "-cp",
                    System.getProperty("java.class.path"),
                    "org.eclipse.jdt.internal.junit.runner.RemoteTestRunner");
            command.addAll(List.of("-version", "3", "-host", "127.0.0.1"));
            command.addAll(List.of("-port", Integer.toString(server.getLocalPort())));
            command.addAll(List.of("-testLoaderClass", "org.eclipse.jdt.internal.junit5.runner.JUnit5TestLoader"));
            command.addAll(List.of("-loaderpluginname", "org.eclipse.jdt.junit5.runtime"));
            command.addAll(List.of(what));
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(printed.toFile())
                    .start();
            try {
                return new EclipseRun(printed, process, server.accept());
            } catch (SocketTimeoutException e) {
                process.destroyForcibly();
                throw new AssertionError("The runner did not connect; it printed\n" + Files.readString(printed), e);
            }
        }
    }

    /** Press the button that stops the run. */
    void stop() throws IOException {
        OutputStream out = socket.getOutputStream();
        out.write(">STOP   \n".getBytes(StandardCharsets.UTF_8));
        out.flush();
    }

    /** Listen until a test of this name has started. */
    void awaitStartOf(String displayName) throws IOException {
        while (started.keySet().stream().noneMatch(id -> node(id).displayName().equals(displayName))) {
            hear(line());
        }
    }

    /** Listen until the runner has nothing more to tell and its process has ended. */
    EclipseRun toItsEnd() throws IOException, InterruptedException {
        for (String line = messages.readLine(); line != null; line = messages.readLine()) {
            hear(line);
        }
        assertThat(process.waitFor(MILLIS, TimeUnit.MILLISECONDS))
                .as("the runner ends")
                .isTrue();
        return this;
    }

    /** The header of the message that tells of the end of all tests; a runner that is stopped ends without one. */
    @Nullable String end() {
        return end;
    }

    /** What the runner's process has printed. */
    String printed() throws IOException {
        return Files.readString(printed);
    }

    /** How each test ended, in the order of their starts, as in {@code "passed values(int)[1]"}. */
    List<String> results() {
        return started.entrySet().stream()
                .filter(test -> node(test.getKey()).isTest())
                .map(test -> test.getValue() + " " + node(test.getKey()).displayName())
                .toList();
    }

    Node node(String id) {
        Node node = nodes.get(id);
        if (node == null) {
            throw new AssertionError("no node " + id + " in " + nodes);
        }
        return node;
    }

    Stream<Node> nodes() {
        return nodes.values().stream();
    }

    /** What the IDE shows of a failure; kinds are {@code EXPECT}, {@code ACTUAL}, {@code TRACE}. */
    String text(String displayName, String kind) {
        return texts.entrySet().stream()
                .filter(text -> text.getKey().startsWith(kind + " ")
                        && node(text.getKey().substring(kind.length() + 1))
                                .displayName()
                                .equals(displayName))
                .map(Map.Entry::getValue)
                .collect(Collectors.joining("\n"));
    }

    private String line() throws IOException {
        String line = messages.readLine();
        if (line == null) {
            throw new AssertionError("The runner has ended; it printed\n" + printed());
        }
        return line;
    }

    private void hear(String line) throws IOException {
        String header = line.substring(0, Math.min(HEADER, line.length()));
        List<String> fields = fields(line.substring(header.length()));
        switch (header.strip()) {
            case "%TSTTREE" -> addNode(fields);
            case "%TESTS" -> started.put(fields.get(0), "started");
            case "%TESTE" -> started.replace(fields.get(0), "started", "passed");
            case "%FAILED", "%ERROR" -> {
                lastFailed = fields.get(0);
                started.put(fields.get(0), header.substring(1).strip());
            }
            case "%EXPECTS", "%ACTUALS", "%TRACES" ->
                hearText(header.strip().substring(1, header.strip().length() - 1));
            case "%TESTC" -> assertThat(fields.get(0)).endsWith(" v2");
            case "%RUNTIME", "%TSTSTP" -> end = header.strip();
            default -> throw new AssertionError("unknown message: " + line);
        }
    }

    private void addNode(List<String> fields) {
        Node node = new Node(fields.get(0), fields.get(1), fields.get(2).equals("false"), fields.get(6), fields.get(8));
        nodes.put(node.id(), node);
    }

    private void hearText(String kind) throws IOException {
        StringBuilder text = new StringBuilder();
        for (String line = line(); !line.strip().equals("%" + kind + "E"); line = line()) {
            text.append(text.length() == 0 ? "" : "\n").append(line);
        }
        texts.put(kind + " " + lastFailed, text.toString().stripTrailing());
    }

    /** Split at commas that have no backslash in front. */
    private static List<String> fields(String text) {
        return Stream.of(text.split("(?<!\\\\),", -1))
                .map(field -> field.replace("\\,", ","))
                .toList();
    }

    @Override
    public void close() throws IOException {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        socket.close();
    }
}
