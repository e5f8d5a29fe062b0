package org.rankunit.engine.plan;

import org.rankunit.engine.config.Platform;
import org.rankunit.engine.control.TestDeclaration;

/**
 * What makes ranks of one group fit for the tests of another: a kept group serves tests of its own kind alone.
 *
 * @param runtime name of the one runtime that its processes may load; empty for none
 */
public record GroupKind(Platform platform, int ranks, String runtime) {

    /** The kind of group that a test needs on a platform. */
    static GroupKind of(Platform platform, TestDeclaration test) {
        return new GroupKind(platform, test.ranks(), test.runtime());
    }
}
