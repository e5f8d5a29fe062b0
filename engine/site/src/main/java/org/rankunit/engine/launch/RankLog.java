package org.rankunit.engine.launch;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.rankunit.engine.protocol.LogMark;
import org.slf4j.LoggerFactory;

/**
 * Everything that one rank prints, in a file that its process writes itself.
 *
 * <p>A rank flushes its output before it reports that a test has ended, so whatever is written between two such reports belongs to
 * the test between them. Output is attributed by its position in the file, without markers in the file and without reader threads.
 */
public final class RankLog {

    private static final int LOOKED_THROUGH = 16 << 10;
    private static final int LOOKED_THROUGH_FOR_A_TEXT = 256 << 10;
    private static final int TAIL_CHARS = 4096;
    private static final int TAIL_LINES = 20;

    /** Maximum number of frames shown of one stack in the last lines: a deep stack would leave no room for the text before it. */
    private static final int TAIL_FRAMES = 8;

    /** Maximum output of one test that is printed again, in bytes; the file has the rest. */
    private static final int MAX = 256 << 10;

    private final Path file;
    private long read;

    /** What a JVM prints when it crashes: lines that begin with {@code #}. All that matters is in its report. */
    private static final Pattern CRASH_BEGINS = Pattern.compile(
            "(?m)^#\n# (?:A fatal error has been detected by|There is insufficient memory for) the Java Runtime Environment");

    private static final Pattern LINES_OF_CRASH = Pattern.compile("(?:#.*(?:\n|$))*");

    /** Whether what was read last ended in the middle of that. */
    private boolean inCrash;

    /** From this position on, the file has output that is not the rank's. */
    private long hidden = Long.MAX_VALUE;

    /** Waits for output that arrives late; {@code null} if the process writes the file itself. */
    private final @Nullable ForwardedOutput forwarded;

    public RankLog(Path file) {
        this(file, null);
    }

    private RankLog(Path file, @Nullable ForwardedOutput forwarded) {
        this.file = file;
        this.forwarded = forwarded;
    }

    /** The log of a rank on another node, whose output arrives over a network and has marks where tests end. */
    public static RankLog forwarded(Path file) {
        return forwarded(file, ForwardedOutput.PATIENCE);
    }

    /** The same, where the mark of a test may take only so long after the last output has arrived. */
    static RankLog forwarded(Path file, Duration patience) {
        return new RankLog(file, new ForwardedOutput(file, patience));
    }

    /** The rank has said that a test has ended. Thread-safe. */
    public void testEnded() {
        if (forwarded != null) {
            forwarded.expectMark();
        }
    }

    public Path file() {
        return file;
    }

    /** Nothing written to the file from now on is the rank's output: the rank is inspected from outside and will be ended. */
    public void hideRest() {
        hidden = Math.min(hidden, file.toFile().length());
    }

    /**
     * Read what was printed since the last call, up to a limit; empty if nothing was. Evidence that a hanging rank printed about
     * itself is left in the file only, and so are the results of an inspection from outside.
     */
    public String fresh() {
        awaitMarks();
        // Most tests print nothing, and checking the length is much cheaper than opening the file.
        if (file.toFile().length() <= read || read >= hidden) {
            return "";
        }
        try (RandomAccessFile in = new RandomAccessFile(file.toFile(), "r")) {
            long end = Math.min(in.length(), hidden);
            byte[] bytes = new byte[(int) Math.min(end - read, MAX)];
            in.seek(read);
            in.readFully(bytes);
            String more = end - read > MAX ? "\n… " + (end - read - MAX) + " more bytes in " + file + "\n" : "";
            read = end;
            return withoutCrash(withoutMarks(LogText.of(bytes))) + more + lost();
        } catch (IOException e) {
            return "(cannot read " + file + ": " + e.getMessage() + ")\n";
        }
    }

    /** Read the last lines, whether or not they were read before. */
    public String tail() {
        try {
            List<String> lines = shallow(withoutMarks(LogText.printable(end(LOOKED_THROUGH)))
                    .stripTrailing()
                    .split("\n", -1));
            int from = Math.max(0, lines.size() - TAIL_LINES);
            String tail = String.join("\n", lines.subList(from, lines.size()));
            return tail.substring(Math.max(0, tail.length() - TAIL_CHARS)) + lost();
        } catch (IOException e) {
            return "(cannot read " + file + ": " + e.getMessage() + ")";
        }
    }

    /** Tell whether a text is in the end of the file, perhaps before the stacks of threads that failed meanwhile. */
    public boolean hasLately(String text) {
        try {
            return LogText.of(end(LOOKED_THROUGH_FOR_A_TEXT)).contains(text);
        } catch (IOException e) {
            LoggerFactory.getLogger(RankLog.class).debug("{} cannot be read", file, e);
            return false;
        }
    }

    private byte[] end(int most) throws IOException {
        try (RandomAccessFile in = new RandomAccessFile(file.toFile(), "r")) {
            byte[] bytes = new byte[(int) Math.min(in.length(), most)];
            in.seek(in.length() - bytes.length);
            in.readFully(bytes);
            return bytes;
        }
    }

    private void awaitMarks() {
        try {
            if (forwarded != null) {
                forwarded.await();
            }
        } catch (IOException e) {
            LoggerFactory.getLogger(RankLog.class).debug("{} cannot be read", file, e);
        }
    }

    private String withoutMarks(String text) {
        return withoutEvidence(
                forwarded == null
                        ? text
                        : text.replace(LogMark.TEST_ENDS, "")
                                .replace(LogText.printable(LogMark.TEST_ENDS.getBytes(UTF_8)), ""));
    }

    private String withoutEvidence(String text) {
        StringBuilder kept = new StringBuilder();
        int from = 0;
        for (int begin = text.indexOf(LogMark.EVIDENCE_BEGINS);
                begin >= 0;
                begin = text.indexOf(LogMark.EVIDENCE_BEGINS, from)) {
            kept.append(text, from, begin)
                    .append("rankunit: the stacks of all threads of this rank are in ")
                    .append(file);
            int end = text.indexOf(LogMark.EVIDENCE_ENDS, begin);
            from = end < 0 ? text.length() : end + LogMark.EVIDENCE_ENDS.length();
        }
        return kept.append(text, from, text.length()).toString();
    }

    private String withoutCrash(String text) {
        String rest = inCrash ? LINES_OF_CRASH.matcher(text).replaceFirst("") : text;
        Matcher begin = CRASH_BEGINS.matcher(rest);
        if (!begin.find()) {
            inCrash = inCrash && rest.isEmpty();
            return rest;
        }
        Matcher lines = LINES_OF_CRASH.matcher(rest).region(begin.start(), rest.length());
        int end = lines.lookingAt() ? lines.end() : begin.end();
        inCrash = end == rest.length();
        return rest.substring(0, begin.start()) + "rankunit: what the JVM of this rank printed when it crashed is in "
                + file + "\n" + rest.substring(end);
    }

    private static List<String> shallow(String[] lines) {
        List<String> kept = new ArrayList<>();
        int frames = 0;
        for (String line : lines) {
            frames = line.startsWith("\tat ") ? frames + 1 : 0;
            if (frames <= TAIL_FRAMES) {
                kept.add(line);
            } else if (frames == TAIL_FRAMES + 1) {
                kept.add("\t…");
            }
        }
        return kept;
    }

    /** If the disk is full, a rank keeps running and its output is lost. */
    private String lost() {
        return file.toFile().getUsableSpace() > 0
                ? ""
                : "\n… no space is left on the disk of " + file + ": later output is lost\n";
    }
}
