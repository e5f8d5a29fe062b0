package org.rankunit.rules;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import java.util.zip.CRC32;

/**
 * A reader of what others write, and what it promises for any bytes: it reads them, or refuses them in one way, with a message. It never
 * fails in another way, and takes no more memory than in proportion to its input.
 *
 * @param <T> what is read
 */
public final class FuzzTarget<T> {

    /** Reads an input. */
    public interface Reader<T> {
        T read(byte[] input) throws Exception;
    }

    /** Reads a file that has the input. */
    public interface FileReader<T> {
        T read(Path file) throws Exception;
    }

    /** Does with a value what must not fail, such as to write it and read it again. */
    public interface Use<T> {
        void accept(T value) throws Exception;
    }

    private static final int ROUNDS = 2_000;
    private static final int LONG_ROUNDS = 12;
    private static final long SEED = 20_261_128;

    /** What a reader may allocate, altogether and not at the same time: for itself, and for each byte of its input. */
    private static final long MAX_FOR_ITSELF = 64L << 20;

    private static final long MAX_FOR_A_BYTE = 1 << 10;

    /** Inputs that some reader once took wrongly, one folder for each target. */
    private static final Path KEPT = Path.of("src", "test", "fuzz");

    private static final Path MADE = Path.of("target", "fuzz");
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final String name;
    private final Reader<T> reader;
    private String source;
    private final List<Class<? extends Exception>> refusals = new ArrayList<>();
    private final List<Use<T>> uses = new ArrayList<>();
    private final List<byte[]> seeds = new ArrayList<>();
    private final List<byte[]> large = new ArrayList<>();
    private int rounds = ROUNDS;
    private Throwable lastRefusal;

    private FuzzTarget(String name, String source, Reader<T> reader) {
        this.name = name;
        this.source = source;
        this.reader = reader;
    }

    /** A reader of bytes, which knows no name of what it reads. */
    public static <T> FuzzTarget<T> ofBytes(String name, Reader<T> reader) {
        return new FuzzTarget<>(name, "", reader);
    }

    /** A reader of bytes whose messages contain what they are called. */
    public static <T> FuzzTarget<T> ofBytes(String name, String source, Reader<T> reader) {
        return new FuzzTarget<>(name, source, reader);
    }

    /** A reader of files, whose messages contain the name of the file. */
    public static <T> FuzzTarget<T> ofFile(String name, String fileName, FileReader<T> reader) {
        Path file = MADE.resolve("read").resolve(name).resolve(fileName);
        return new FuzzTarget<>(name, fileName, input -> reader.read(written(file, input)));
    }

    private static Path written(Path file, byte[] input) throws IOException {
        Files.createDirectories(file.getParent());
        // Another file each time: what was mapped of the last one stays as it is.
        Files.deleteIfExists(file);
        return Files.write(file, input);
    }

    /** What the reader throws for bad input. An unchecked exception is exactly of this class: its subclasses are those of bugs. */
    public FuzzTarget<T> refusesWith(Class<? extends Exception> refusal) {
        refusals.add(refusal);
        return this;
    }

    /** What must not fail for anything that was read. */
    public FuzzTarget<T> then(Use<T> use) {
        uses.add(use);
        return this;
    }

    /** An input from which others are made. The first one is one that the reader reads. */
    public FuzzTarget<T> from(byte[] seed) {
        seeds.add(seed);
        return this;
    }

    /** The same for texts. */
    public FuzzTarget<T> from(String... texts) {
        for (String text : texts) {
            from(text.getBytes(UTF_8));
        }
        return this;
    }

    /** A large input, which is read as it is. */
    public FuzzTarget<T> fromLarge(byte[] input) {
        large.add(input);
        return this;
    }

    /** The same for a text. */
    public FuzzTarget<T> fromLarge(String text) {
        return fromLarge(text.getBytes(UTF_8));
    }

    /** What messages contain, if it is not what this was made with. */
    public FuzzTarget<T> naming(String otherSource) {
        source = otherSource;
        return this;
    }

    /** How many inputs are made of good ones, if the usual 2,000 would take too long. */
    public FuzzTarget<T> rounds(int fewer) {
        rounds = fewer;
        return this;
    }

    String name() {
        return name;
    }

    /** Those that were given, but for the large ones, and those that are kept. */
    List<byte[]> seeds() {
        List<byte[]> all = new ArrayList<>(seeds);
        Path folder = KEPT.resolve(name);
        if (Files.isDirectory(folder)) {
            try (Stream<Path> files = Files.list(folder)) {
                for (Path file : files.sorted().toList()) {
                    all.add(Files.readAllBytes(file));
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return all;
    }

    /** Read all seeds and what becomes of them, and require what was promised. */
    void fuzz() {
        List<byte[]> all = seeds();
        if (!reads(all.get(0))) {
            throw new AssertionError(
                    name + ": its first input is refused, so that nothing is made of a good one", lastRefusal);
        }
        all.forEach(this::reads);
        large.forEach(this::reads);
        Mutations mutations = new Mutations(new Random(SEED + name.hashCode()), all);
        int read = 0;
        for (int round = 0; round < rounds; round++) {
            read += reads(mutations.next()) ? 1 : 0;
        }
        for (int round = 0; round < LONG_ROUNDS; round++) {
            reads(mutations.nextLong());
        }
        if (read == 0 || (read == rounds && !refusals.isEmpty())) {
            throw new AssertionError(
                    name + ": " + read + " of " + rounds + " inputs were read; expected some, not all");
        }
    }

    /**
     * Read an input; returns false if it was refused as was promised.
     *
     * @throws AssertionError in any other case; the input is in the file that the message names
     */
    boolean reads(byte[] input) {
        return reads(input, MAX_FOR_ITSELF + MAX_FOR_A_BYTE * input.length);
    }

    /** The same with another limit of what may be allocated, in bytes. */
    boolean reads(byte[] input, long most) {
        long before = THREADS.getCurrentThreadAllocatedBytes();
        T value = null;
        Throwable thrown = null;
        try {
            value = reader.read(input);
        } catch (Throwable e) {
            thrown = e;
        }
        long allocated = THREADS.getCurrentThreadAllocatedBytes() - before;
        if (allocated > most) {
            throw broken(input, "it took " + allocated + " bytes of memory for " + input.length, thrown);
        }
        if (thrown != null) {
            requireRefusal(input, thrown);
            lastRefusal = thrown;
            return false;
        }
        for (Use<T> use : uses) {
            try {
                use.accept(value);
            } catch (Throwable e) {
                throw broken(input, "what it read cannot be used", e);
            }
        }
        return true;
    }

    private void requireRefusal(byte[] input, Throwable thrown) {
        if (refusals.stream().noneMatch(refusal -> isOf(thrown, refusal))) {
            throw broken(input, "it refuses with none of " + refusals, thrown);
        }
        String message = thrown.getMessage();
        if (message == null || message.isBlank() || !message.contains(source)) {
            throw broken(input, "the message does not name \"" + source + "\": " + message, thrown);
        }
    }

    private static boolean isOf(Throwable thrown, Class<? extends Exception> refusal) {
        return RuntimeException.class.isAssignableFrom(refusal)
                ? thrown.getClass() == refusal
                : refusal.isInstance(thrown);
    }

    private AssertionError broken(byte[] input, String what, Throwable cause) {
        CRC32 sum = new CRC32();
        sum.update(input);
        Path file = MADE.resolve("found").resolve(name).resolve(HexFormat.of().toHexDigits((int) sum.getValue()));
        try {
            written(file, input);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new AssertionError(
                "The reader \"" + name + "\": " + what + ". The input is " + file.toAbsolutePath() + "; keep it in "
                        + KEPT.resolve(name) + " when the cause is cured.",
                cause);
    }

    @Override
    public String toString() {
        return name;
    }
}
