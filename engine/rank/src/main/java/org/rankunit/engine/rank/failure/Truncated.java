package org.rankunit.engine.rank.failure;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.rankunit.engine.protocol.wire.Limits;

/** Cuts the contents of a message to what the message can hold, and counts what is left out. */
public final class Truncated {

    private final Map<String, Long> counts = new LinkedHashMap<>();
    private int charsLeft = Limits.TEXT_CHARS;

    /** Cut a text to {@code most} characters, and to what earlier texts have left over. */
    public String cut(String text, int most) {
        String kept = Limits.cut(text, Math.min(most, charsLeft));
        charsLeft = Math.max(0, charsLeft - kept.length());
        return kept;
    }

    /** Record that some things are left out: {@code count} of {@code "golden checks"}. */
    public void add(long count, String things) {
        if (count > 0) {
            counts.merge(things, count, Long::sum);
        }
    }

    /** Describe it as in {@code "119000 golden checks and 3 stack frames"}; empty if nothing is left out. */
    @Override
    public String toString() {
        return counts.entrySet().stream()
                .map(each -> each.getValue() + " " + each.getKey())
                .collect(Collectors.joining(" and "));
    }
}
