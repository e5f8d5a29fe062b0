package org.rankunit.engine.cases;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.OptionalLong;

/**
 * The one fault of a run: what strikes which rank when, and once only, however often the rank is started anew.
 *
 * @param micros how long after its moment it strikes, where another thread does that
 * @param folder where the struck ranks note when it was
 */
public record Strike(Fault fault, Moment moment, int rank, int micros, Path folder) {

    private static final String PROPERTY = "chaos.strike";

    /** The property that hands this to the ranks, from their very start on. */
    public String asArgument() {
        return "-D" + PROPERTY + "=" + fault + "," + moment + "," + rank + "," + micros + "," + folder;
    }

    static Strike ofThisJvm() {
        String[] parts = System.getProperty(PROPERTY, "").split(",", 5);
        return new Strike(
                Fault.valueOf(parts[0]),
                Moment.valueOf(parts[1]),
                Integer.parseInt(parts[2]),
                Integer.parseInt(parts[3]),
                Path.of(parts[4]));
    }

    /** When it struck, as {@link System#nanoTime()}, which on Linux is the same clock in all processes. */
    public OptionalLong struckNanos() throws IOException {
        // Whoever was to note it may have been killed just then.
        return isDone() && note().length > 1 ? OptionalLong.of(Long.parseLong(note()[0])) : OptionalLong.empty();
    }

    /** Whether it has struck, or does so just now. */
    boolean isDone() {
        return Files.exists(noteOf(rank));
    }

    /** Whether the process that is to be struck is there still. */
    boolean isStruckAlive() throws IOException {
        return !isDone()
                || note().length < 2
                || ProcessHandle.of(Long.parseLong(note()[1]))
                        .filter(ProcessHandle::isAlive)
                        .isPresent();
    }

    private String[] note() throws IOException {
        return Files.readString(noteOf(rank)).split("[ \n]");
    }

    /** Strike if it is time for it on this rank, which does not go on then unless the fault is one to go on with. */
    void reached(Moment reached, int reachedBy) throws IOException {
        boolean isForAll = fault == Fault.DEADLOCK;
        if (reached == moment && (reachedBy == rank || isForAll)) {
            now(reachedBy);
        }
    }

    /** Strike, if it has not been done before. */
    void now(int by) throws IOException {
        try {
            Kernel.load();
            String note = System.nanoTime() + " " + ProcessHandle.current().pid() + "\n";
            Files.writeString(noteOf(by), note, StandardOpenOption.CREATE_NEW);
        } catch (FileAlreadyExistsException e) {
            return;
        }
        fault.strike();
        boolean goesOn = fault.goesOn() || moment.isOfAnotherThread();
        if (!goesOn) {
            // Whatever ends this process does so soon.
            Fault.waitForEver();
        }
    }

    private Path noteOf(int by) {
        return folder.resolve("struck-" + by);
    }
}
