package org.rankunit.engine.site;

import org.rankunit.engine.config.Platform;
import org.rankunit.engine.protocol.TestDeclaration;

/**
 * The properties a group must have to run a test: a kept group is reused only for tests of the same kind.
 *
 * @param communicator whether its ranks have a communicator
 * @param nodes on how many nodes its ranks run, the same number on each; 0 for any
 * @param runtime name of the only runtime that its processes may load; empty for none
 */
public record GroupKind(Platform platform, int ranks, int nodes, boolean communicator, String runtime) {

    /** The kind of group that a test needs on a platform. */
    public static GroupKind of(Platform platform, TestDeclaration test) {
        return new GroupKind(platform, test.ranks(), test.nodes(), test.communicator(), test.runtime());
    }
}
