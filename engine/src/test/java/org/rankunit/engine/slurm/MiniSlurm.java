package org.rankunit.engine.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * A Slurm cluster on this machine, with nodes {@code node1}, {@code node2} and so on. The scripts in
 * {@code src/test/slurm} start it and say what can be set. Clusters can run side by side. Everything that does not
 * become true within a minute is an error.
 */
public final class MiniSlurm implements AutoCloseable {

    private static final Path SCRIPTS = Path.of("src/test/slurm").toAbsolutePath();
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final Path folder;
    private final boolean inNamespaces;
    private final Thread stopAtExit = new Thread(this::stop);

    /** How a command ended, and what it wrote. */
    public record Ended(int exit, String out, String err) {

        /** The lines on the standard output, if the command succeeded. */
        public List<String> lines() {
            assertThat(exit).as("exit status; %s", this).isZero();
            return out.lines().toList();
        }
    }

    private MiniSlurm(boolean inNamespaces) {
        this.inNamespaces = inNamespaces;
        try {
            // The sockets below it may have paths of at most 107 bytes.
            folder = Files.createTempDirectory("slurm");
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** Starts a cluster whose nodes share this machine's network. */
    public static MiniSlurm start(int nodes, int devices) {
        return start(nodes, devices, Map.of());
    }

    /**
     * Starts a cluster whose nodes share this machine's network.
     *
     * @param settings variables that {@code mini-slurm.sh start} reads: GRES, CPUS, PREEMPT, EXTRA_CONF
     */
    public static MiniSlurm start(int nodes, int devices, Map<String, String> settings) {
        return new MiniSlurm(false).started(nodes, devices, settings);
    }

    /** Starts a cluster whose nodes have networks of their own, so that they can be cut off. */
    public static MiniSlurm startInNamespaces(int nodes, int devices) {
        return startInNamespaces(nodes, devices, Map.of());
    }

    /**
     * Starts a cluster whose nodes have networks of their own, so that they can be cut off.
     *
     * @param settings as those of {@link #start(int, int, Map)}
     */
    public static MiniSlurm startInNamespaces(int nodes, int devices, Map<String, String> settings) {
        return new MiniSlurm(true).started(nodes, devices, settings);
    }

    /** Why {@link #start} cannot work here. */
    public static Optional<String> whyNot() {
        return reason("mini-slurm.sh");
    }

    /** Why {@link #startInNamespaces} cannot work here. */
    public static Optional<String> whyNotInNamespaces() {
        return reason("netns-slurm.sh");
    }

    private static Optional<String> reason(String script) {
        Ended ended = ended(new ProcessBuilder(SCRIPTS.resolve(script).toString(), "why-not"));
        return ended.lines().stream().findFirst();
    }

    private MiniSlurm started(int nodes, int devices, Map<String, String> settings) {
        Runtime.getRuntime().addShutdownHook(stopAtExit);
        Ended ended = script(mainScript(), settings, "start", Integer.toString(nodes), Integer.toString(devices));
        if (ended.exit() != 0) {
            close();
        }
        assertThat(ended.exit()).as("the cluster starts; %s", ended).isZero();
        return this;
    }

    /** Everything of the cluster lies below it; the daemons' logs are in {@code log}. {@link #close} removes it. */
    public Path folder() {
        return folder;
    }

    /** The file that SLURM_CONF names. */
    public Path conf() {
        return folder.resolve("etc/slurm.conf");
    }

    /** What clients need in their environment. */
    public Map<String, String> environment() {
        return Map.of("SLURM_CONF", conf().toString());
    }

    /** The command line by which a command runs where the controller is: in its namespace, if it has one. */
    public List<String> commandLine(String... command) {
        List<String> line = new ArrayList<>();
        if (inNamespaces) {
            line.addAll(List.of(SCRIPTS.resolve("netns-slurm.sh").toString(), "exec", folder.toString()));
        }
        line.addAll(List.of(command));
        return line;
    }

    /** Runs a command, such as srun, where the controller is, and waits for its end. */
    public Ended run(String... command) {
        ProcessBuilder builder = new ProcessBuilder(commandLine(command));
        // Tests may themselves be run by some Slurm.
        builder.environment().keySet().removeIf(name -> name.startsWith("SLURM_"));
        builder.environment().putAll(environment());
        return ended(builder);
    }

    /** Takes the network from a node. What runs there goes on. */
    public void cut(String node) {
        inItsNamespace("cut", node);
    }

    /** Gives the network back to a node. */
    public void heal(String node) {
        inItsNamespace("heal", node);
    }

    /** Kills the daemon of a node. What runs there goes on. */
    public void killNode(String node) {
        done("kill-node", node);
    }

    /** Starts the daemon of a node that was killed. */
    public void startNode(String node) {
        done("start-node", node);
    }

    /** Ends the controller, which saves its state. Clients do not get answers until it runs again. */
    public void stopController() {
        done("stop-controller");
    }

    /** Starts the controller with the state that it saved. The nodes may be unknown to it for a moment. */
    public void startController() {
        done("start-controller");
    }

    /** {@link #stopController} and {@link #startController}. */
    public void restartController() {
        done("restart-controller");
    }

    /** Waits until Slurm's state of a node, in its short form, is one of these: idle, mix, alloc, down, unk. */
    public void awaitNode(String node, String... states) {
        long deadline = System.nanoTime() + LIMIT.toNanos();
        String state;
        do {
            state = String.join(
                    ",", run("sinfo", "-h", "-N", "-n", node, "-o", "%t").lines());
            // Once for each partition; a star is added to the state of a node that does not answer.
            if (List.of(states).containsAll(List.of(state.replace("*", "").split(",")))) {
                return;
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
        } while (System.nanoTime() < deadline);
        throw new AssertionError("%s is %s after %s, and not %s".formatted(node, state, LIMIT, List.of(states)));
    }

    /** Ends everything that runs of the cluster, and asserts that. */
    @Override
    public void close() {
        Ended stopped = stop();
        Ended left = script("mini-slurm.sh", Map.of(), "processes");
        Runtime.getRuntime().removeShutdownHook(stopAtExit);
        assertThat(stopped.exit()).as("the cluster ends; %s", stopped).isZero();
        assertThat(left.lines()).as("processes of the cluster that has ended").isEmpty();
        removeFolder();
    }

    private Ended stop() {
        return script(mainScript(), Map.of(), "stop");
    }

    private String mainScript() {
        return inNamespaces ? "netns-slurm.sh" : "mini-slurm.sh";
    }

    private void inItsNamespace(String what, String node) {
        assertThat(inNamespaces).as("nodes have networks of their own").isTrue();
        Ended ended = script("netns-slurm.sh", Map.of(), what, node);
        assertThat(ended.exit()).as("%s %s; %s", what, node, ended).isZero();
    }

    private void done(String command, String... arguments) {
        Ended ended = script("mini-slurm.sh", Map.of(), command, arguments);
        assertThat(ended.exit())
                .as("%s %s; %s", command, List.of(arguments), ended)
                .isZero();
    }

    private Ended script(String name, Map<String, String> settings, String command, String... arguments) {
        List<String> line = new ArrayList<>();
        line.addAll(List.of(SCRIPTS.resolve(name).toString(), command, folder.toString()));
        line.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(line);
        builder.environment().keySet().removeIf(variable -> variable.startsWith("SLURM_"));
        builder.environment().putAll(settings);
        return ended(builder);
    }

    /** Files, since what a daemon keeps open of a pipe would hold up its reader. */
    private static Ended ended(ProcessBuilder builder) {
        try {
            Path out = Files.createTempFile("slurm", ".out");
            Path err = Files.createTempFile("slurm", ".err");
            try {
                Process process = builder.redirectInput(Path.of("/dev/null").toFile())
                        .redirectOutput(out.toFile())
                        .redirectError(err.toFile())
                        .start();
                boolean inTime = process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS);
                if (!inTime) {
                    end(process);
                }
                Ended ended =
                        new Ended(inTime ? process.exitValue() : -1, Files.readString(out), Files.readString(err));
                assertThat(inTime)
                        .as("%s ends within %s; %s", builder.command(), LIMIT, ended)
                        .isTrue();
                return ended;
            } finally {
                Files.delete(out);
                Files.delete(err);
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new AssertionError(builder.command() + " was interrupted", interrupted);
        }
    }

    /** srun ends its step when it is terminated, and cannot when it is killed. */
    private static void end(Process process) throws InterruptedException {
        process.destroy();
        if (!process.waitFor(10, TimeUnit.SECONDS)) {
            process.destroyForcibly();
        }
    }

    private void removeFolder() {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
