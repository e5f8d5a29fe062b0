package org.rankunit.engine.group;

import java.io.PrintStream;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.rankunit.engine.config.ConfigKey;
import org.rankunit.engine.link.RankLink;

/**
 * Prints what a person needs: the command of each rank that is started by hand, and the address of each that waits for a debugger, as
 * soon as it appears in the rank's log.
 */
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

    /** Print by which command a person starts this rank. The line has nothing else, so that it can be copied as a whole. */
    void manualRanks(RankLink link, String command, Duration timeout) {
        out.println("rankunit: start " + BringUpFault.who(link) + " by hand within " + timeout.toMillis() + " ms ("
                + ConfigKey.MANUAL_RANKS_TIMEOUT.key() + "). Time-outs are off in this run. The command, for another"
                + " terminal:");
        out.println(command);
    }

    /** Whether the address of some rank is not known yet. */
    boolean isPending() {
        return !silent.isEmpty();
    }

    /** Look into the logs and print new addresses. */
    void look() {
        silent.removeIf(link -> {
            Matcher found = LISTENING.matcher(link.log().tail());
            if (!found.find()) {
                return false;
            }
            out.println("rankunit: " + link.describe() + " waits for a debugger: attach to 127.0.0.1:" + found.group(1)
                    + ". Time-outs are off in this run.");
            // IDEs turn exactly this line into a link.
            out.println("Listening for transport dt_socket at address: " + found.group(1));
            return true;
        });
    }
}
