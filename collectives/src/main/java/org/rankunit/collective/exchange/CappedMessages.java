package org.rankunit.collective.exchange;

import java.util.List;

/** Tells people of many things at once. */
final class CappedMessages {

    private CappedMessages() {}

    /** Returns {@code "3 streams wait forever:"} and the first of them. */
    static String text(List<String> all, String what, int most) {
        return all.size() + " " + what + ":\n  " + String.join("\n  ", all.subList(0, Math.min(most, all.size())))
                + (all.size() > most ? "\n  ... and " + (all.size() - most) + " more" : "");
    }
}
