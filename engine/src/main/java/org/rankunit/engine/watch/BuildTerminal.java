package org.rankunit.engine.watch;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.rankunit.engine.config.files.CacheFolder;
import org.rankunit.engine.report.store.RunIdentity;

/**
 * The terminal to which the build prints, taken by one process at a time.
 *
 * <p>In a fork of Surefire, standard output is a channel to Maven, and {@code /dev/tty} is a terminal even if Maven's output goes to
 * a file. So the standard output of Maven itself is looked at: only if that is a terminal, nothing that is drawn gets into a log.
 */
final class BuildTerminal implements Screen {

    private static final Pattern DEVICE = Pattern.compile("/dev/(pts/\\d+|tty\\d+|ttyS\\d+|console)");
    private static final Pattern SIZE = Pattern.compile("(\\d{1,5}) (\\d{1,5})");
    private static final long PATIENCE_SECONDS = 2;

    private final Path device;
    private final FileChannel lock;
    private final OutputStream out;
    private final Thread atExit;
    private volatile @Nullable String last;

    private BuildTerminal(Path device, FileChannel lock) throws IOException {
        this.device = device;
        this.lock = lock;
        // Not buffered: each write is one call, during which Linux writes nothing of others to the terminal.
        this.out = new FileOutputStream(device.toFile());
        this.atExit = new Thread(this::restore, "rankunit-terminal");
        Runtime.getRuntime().addShutdownHook(atExit);
    }

    /**
     * Take the terminal of this build.
     *
     * @param ofMaven whether a fork may take the terminal of Maven, which prints to it at the same time
     * @return empty if its output goes elsewhere, if the terminal understands no control sequences, or if another process has it
     */
    static Optional<Screen> take(Map<String, String> environment, boolean ofMaven) {
        String kind = environment.getOrDefault("TERM", "dumb");
        Optional<Path> device = kind.isEmpty() || kind.equals("dumb") ? Optional.empty() : output(ofMaven);
        if (device.isEmpty()) {
            return Optional.empty();
        }
        try {
            FileChannel channel = lock(device.get());
            if (channel == null) {
                return Optional.empty();
            }
            BuildTerminal terminal = new BuildTerminal(device.get(), channel);
            if (terminal.size().isPresent()) {
                return Optional.of(terminal);
            }
            terminal.close();
        } catch (IOException | RuntimeException e) {
            // Without it, plain lines are printed.
            return Optional.empty();
        }
        return Optional.empty();
    }

    /** The device that is the standard output of the build. */
    private static Optional<Path> output(boolean ofMaven) {
        ProcessHandle build = RunIdentity.buildTool();
        if (!ofMaven && !build.equals(ProcessHandle.current())) {
            return Optional.empty();
        }
        Path link = Path.of("/proc", String.valueOf(build.pid()), "fd", "1");
        try {
            Path target = Files.readSymbolicLink(link);
            return DEVICE.matcher(target.toString()).matches() ? Optional.of(target) : Optional.empty();
        } catch (IOException | UnsupportedOperationException e) {
            return Optional.empty();
        }
    }

    private static @Nullable FileChannel lock(Path device) throws IOException {
        String name = device.toString().substring(1).replace('/', '-') + ".lock";
        Path file = CacheFolder.of("terminals").resolve(name);
        CacheFolder.prepareFor(file);
        FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        // Held until the channel is closed. Another run in this JVM makes the attempt throw.
        FileLock held = channel.tryLock();
        if (held == null) {
            channel.close();
            return null;
        }
        return channel;
    }

    @Override
    public Optional<Size> size() {
        try {
            Process stty = new ProcessBuilder("stty", "-F", device.toString(), "size")
                    .redirectErrorStream(true)
                    .start();
            try {
                if (!stty.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                    return Optional.empty();
                }
                Matcher size =
                        SIZE.matcher(new String(stty.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip());
                return size.matches()
                        ? Optional.of(new Size(Integer.parseInt(size.group(1)), Integer.parseInt(size.group(2))))
                        : Optional.empty();
            } finally {
                stty.destroyForcibly();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    @Override
    public void write(String text) throws IOException {
        last = text;
        out.write(text.getBytes(StandardCharsets.UTF_8));
    }

    /** If the JVM is told to end, the whole terminal scrolls again. */
    private void restore() {
        try {
            if (last != null) {
                out.write("\u001b7\u001b[r\u001b8\u001b[J".getBytes(StandardCharsets.US_ASCII));
            }
        } catch (IOException e) {
            // The terminal is gone.
            last = null;
        }
    }

    @Override
    public void close() throws IOException {
        try (lock;
                out) {
            Runtime.getRuntime().removeShutdownHook(atExit);
        } catch (IllegalStateException e) {
            // The JVM is ending, and the hook runs.
            last = null;
        }
    }
}
