package org.rankunit.engine.watch;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Draws one line for each group below the output of the build.
 *
 * <p>The last rows of the terminal are taken out of its scrolling region (DECSTBM), so that whatever others print scrolls above
 * them. apt draws its progress bar in the same way. The cursor is where it was after each write.
 */
final class LiveLines implements View {

    private static final String ESC = "\u001b";
    private static final String SAVE = ESC + "7";
    private static final String RESTORE = ESC + "8";
    private static final String CLEAR_LINE = ESC + "[2K";
    private static final String WHOLE_SCREEN = ESC + "[r";

    /** On a lower terminal, the output of the build needs all rows. */
    private static final int FEWEST_ROWS = 10;

    private static final int FEWEST_COLUMNS = 20;

    /** Each look at the size starts a process. */
    private static final int SHOWS_PER_LOOK = 8;

    private final Screen screen;
    private final int most;
    private Screen.@Nullable Size size;
    private int untilLook;
    private String drawn = "";

    /** @param most number of rows for groups */
    LiveLines(Screen screen, int most) {
        this.screen = screen;
        this.most = most;
    }

    @Override
    public Duration period() {
        return Duration.ofMillis(500);
    }

    @Override
    public void show(List<GroupStatus> groups) {
        try {
            if (untilLook-- == 0) {
                untilLook = SHOWS_PER_LOOK;
                fit(screen.size());
            }
            if (size != null) {
                draw(groups, size);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Take rows of a terminal of this size, after giving back those of the size before. */
    private void fit(Optional<Screen.Size> found) throws IOException {
        Screen.Size now = found.filter(each -> each.rows() >= FEWEST_ROWS && each.columns() >= FEWEST_COLUMNS)
                .orElse(null);
        if (size == null ? now == null : size.equals(now)) {
            return;
        }
        String text = size == null ? "" : away(size);
        drawn = "";
        size = now;
        if (now != null) {
            // What is in the last rows moves up first.
            text += "\n".repeat(most) + SAVE + ESC + "[1;" + (now.rows() - most) + "r" + RESTORE + ESC + "[" + most
                    + "A";
        }
        screen.write(text);
    }

    private void draw(List<GroupStatus> groups, Screen.Size on) throws IOException {
        List<String> lines = lines(groups);
        StringBuilder text = new StringBuilder(SAVE);
        for (int i = 0; i < most; i++) {
            text.append(row(on.rows() - most + 1 + i)).append(CLEAR_LINE);
            if (i < lines.size()) {
                text.append(fitting(lines.get(i), on.columns() - 1));
            }
        }
        String next = text.append(RESTORE).toString();
        if (!next.equals(drawn)) {
            drawn = next;
            screen.write(next);
        }
    }

    private List<String> lines(List<GroupStatus> groups) {
        List<String> lines = new ArrayList<>();
        int shown = groups.size() <= most ? groups.size() : most - 1;
        groups.subList(0, shown).forEach(group -> lines.add(StatusText.line(group)));
        if (shown < groups.size()) {
            lines.add("and " + (groups.size() - shown) + " more groups");
        }
        return lines;
    }

    private static String row(int row) {
        return ESC + "[" + row + ";1H";
    }

    /** Cut a line, and replace what would move the cursor. */
    private static String fitting(String line, int columns) {
        String text = line.replaceAll("[\\p{Cntrl}\\p{Cs}\\p{Cf}\u2028\u2029]", "?");
        return text.length() <= columns ? text : text.substring(0, columns - 3) + "...";
    }

    private String away(Screen.Size from) {
        StringBuilder text = new StringBuilder(SAVE).append(WHOLE_SCREEN);
        for (int i = 0; i < most; i++) {
            text.append(row(from.rows() - most + 1 + i)).append(CLEAR_LINE);
        }
        return text.append(RESTORE).toString();
    }

    @Override
    public void close() {
        try (screen) {
            if (size != null) {
                screen.write(away(size));
                size = null;
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
