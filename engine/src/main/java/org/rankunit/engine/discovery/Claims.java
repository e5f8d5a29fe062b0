package org.rankunit.engine.discovery;

import java.util.HashSet;
import java.util.Set;
import org.junit.platform.engine.UniqueId;

/**
 * The Jupiter tests that this engine has taken over in the current discovery of this thread.
 *
 * <p>The filter removes only claimed tests from the Jupiter run. If this engine is disabled it never discovers, so
 * nothing is claimed, Jupiter keeps the tests, and their guard fails them: a build cannot pass without running them.
 * Engines discover and filters are applied on one thread, within one outermost discovery; a suite's inner discovery
 * happens inside it.
 */
public final class Claims {

    private static final ThreadLocal<Claims> CURRENT = ThreadLocal.withInitial(Claims::new);

    private final Set<UniqueId> jupiterIds = new HashSet<>();
    private int depth;

    private Claims() {}

    /** Start a discovery; an outermost one clears the claims of an earlier one. */
    public static void discoveryStarts() {
        Claims claims = CURRENT.get();
        if (claims.depth++ == 0) {
            claims.jupiterIds.clear();
        }
    }

    /** End a discovery. */
    public static void discoveryEnds() {
        Claims claims = CURRENT.get();
        claims.depth = Math.max(0, claims.depth - 1);
    }

    static void claim(UniqueId jupiterId) {
        CURRENT.get().jupiterIds.add(jupiterId);
    }

    /** Whether this engine runs the test that has this id in Jupiter. */
    public static boolean isClaimed(UniqueId jupiterId) {
        return CURRENT.get().jupiterIds.contains(jupiterId);
    }
}
