package org.rankunit.collective.algorithms.composed;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apiguardian.api.API;
import org.rankunit.collective.call.Collective;

/**
 * A level of a {@link Hierarchical}.
 *
 * @param size how many units of the level below it has; 0 for the ranks of a server, and in the outermost level for all that there are
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public record Level(Family family, int size) {

    private static final Pattern FORM = Pattern.compile("(?:([1-9][0-9]{0,5})x)?(.+)");

    public Level {
        if (size < 0) {
            throw new IllegalArgumentException("size = " + size + ": a level has 0 or more units");
        }
    }

    /** A level that takes all that there are. */
    public static Level of(Family family) {
        return new Level(family, 0);
    }

    /** Read levels with {@code +} between them, such as {@code mesh+2xring+NHR}. */
    static List<Level> parse(String text) {
        return Arrays.stream(text.split("\\+", -1)).map(Level::parseOne).toList();
    }

    private static Level parseOne(String text) {
        Matcher form = FORM.matcher(text);
        String name = form.matches() ? form.group(2) : text;
        Family family = Family.named(name)
                .orElseThrow(() -> new IllegalArgumentException("there are no algorithms \"" + name
                        + "\" for a level; there are those of " + String.join(", ", Family.names())));
        return new Level(family, form.group(1) == null ? 0 : Integer.parseInt(form.group(1)));
    }

    void check(int number, int last, List<Collective> needed) {
        boolean inside = number > 0 && number < last;
        if (inside && size == 0) {
            throw new IllegalArgumentException(
                    "level " + number + " (" + family.name() + ") needs a number of servers, as in 2x" + family.name());
        }
        if (!inside && size > 0) {
            throw new IllegalArgumentException("level " + number + " (" + family.name()
                    + ") takes no number: a server has its ranks, and the outermost level has all that remain");
        }
        needed.forEach(family::require);
    }

    /** Returns {@code "2xring"}. */
    @Override
    public String toString() {
        return (size == 0 ? "" : size + "x") + family.name();
    }
}
