package org.rankunit.engine.group;

import java.io.PrintStream;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.rankunit.engine.link.RankLink;

/** Tells where the ranks listen that wait for a debugger, as soon as each of them has said so in its log. */
final class DebugNotice {

    private static final Pattern LISTENING =
            Pattern.compile("Listening for transport dt_socket at address: (?:\\S+:)?(\\d+)");

    private final PrintStream out;
    private final Set<RankLink> silent = new LinkedHashSet<>();

    DebugNotice(PrintStream out) {
        this.out = out;
    }

    void expect(RankLink link) {
        silent.add(link);
    }

    /** Whether some rank has not said yet where it listens. */
    boolean isPending() {
        return !silent.isEmpty();
    }

    /** Look into the logs, and tell what is new. */
    void look() {
        silent.removeIf(link -> {
            Matcher found = LISTENING.matcher(link.log().tail());
            if (!found.find()) {
                return false;
            }
            out.println("rankunit: " + link.describe() + " waits for a debugger: attach to 127.0.0.1:" + found.group(1)
                    + ". No time-out holds in this run.");
            // IDEs make a link of this very line.
            out.println("Listening for transport dt_socket at address: " + found.group(1));
            return true;
        });
    }
}
