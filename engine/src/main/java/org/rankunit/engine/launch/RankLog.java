package org.rankunit.engine.launch;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.rankunit.engine.control.EvidenceMark;

/**
 * Everything one rank prints, in a file that its process writes itself.
 *
 * <p>Because the rank flushes before it says that a test has ended, whatever lies between two such moments belongs to the
 * test between them: output is attributed by place in the file, without markers in it and without reading threads.
 */
public final class RankLog {

    private static final int LOOKED_THROUGH = 16 << 10;
    private static final int TAIL_CHARS = 4096;
    private static final int TAIL_LINES = 20;

    /** Most frames of one stack in the last lines: a deep one would leave no room for what it is the stack of. */
    private static final int TAIL_FRAMES = 8;

    /** Most output of one test that is printed again; the file has the rest. */
    private static final int MOST = 256 << 10;

    private final Path file;
    private long read;

    /** From where on what lies in the file is no output of the rank. */
    private long hidden = Long.MAX_VALUE;

    public RankLog(Path file) {
        this.file = file;
    }

    public Path file() {
        return file;
    }

    /** From now on nothing that comes into the file is the rank's: it is looked at from outside, and will be ended. */
    public void hideRest() {
        hidden = Math.min(hidden, file.toFile().length());
    }

    /**
     * Read what was printed since the last call, bounded; empty if nothing was. What a rank said of itself while it hung stays in
     * the file, and so does what was seen of it from outside.
     */
    public String fresh() {
        // Most tests print nothing, and a look at the length is much cheaper than opening the file.
        if (file.toFile().length() <= read || read >= hidden) {
            return "";
        }
        try (RandomAccessFile in = new RandomAccessFile(file.toFile(), "r")) {
            long end = Math.min(in.length(), hidden);
            byte[] bytes = new byte[(int) Math.min(end - read, MOST)];
            in.seek(read);
            in.readFully(bytes);
            String more = end - read > MOST ? "\n… " + (end - read - MOST) + " more bytes in " + file + "\n" : "";
            read = end;
            return withoutEvidence(LogText.of(bytes)) + more + lost();
        } catch (IOException e) {
            return "(cannot read " + file + ": " + e.getMessage() + ")\n";
        }
    }

    /** Read the last lines, whether they were read before or not. */
    public String tail() {
        try (RandomAccessFile in = new RandomAccessFile(file.toFile(), "r")) {
            byte[] bytes = new byte[(int) Math.min(in.length(), LOOKED_THROUGH)];
            in.seek(in.length() - bytes.length);
            in.readFully(bytes);
            List<String> lines = shallow(
                    withoutEvidence(LogText.printable(bytes)).stripTrailing().split("\n", -1));
            int from = Math.max(0, lines.size() - TAIL_LINES);
            String tail = String.join("\n", lines.subList(from, lines.size()));
            return tail.substring(Math.max(0, tail.length() - TAIL_CHARS)) + lost();
        } catch (IOException e) {
            return "(cannot read " + file + ": " + e.getMessage() + ")";
        }
    }

    private String withoutEvidence(String text) {
        StringBuilder kept = new StringBuilder();
        int from = 0;
        for (int begin = text.indexOf(EvidenceMark.BEGIN); begin >= 0; begin = text.indexOf(EvidenceMark.BEGIN, from)) {
            kept.append(text, from, begin)
                    .append("rankunit: where all threads of this rank were is in ")
                    .append(file);
            int end = text.indexOf(EvidenceMark.END, begin);
            from = end < 0 ? text.length() : end + EvidenceMark.END.length();
        }
        return kept.append(text, from, text.length()).toString();
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

    /** Where the disk is full, a rank goes on and prints in vain. */
    private String lost() {
        return file.toFile().getUsableSpace() > 0
                ? ""
                : "\n… no space is left on the disk of " + file + ": what was printed since is lost\n";
    }
}
