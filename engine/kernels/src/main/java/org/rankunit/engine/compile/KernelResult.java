package org.rankunit.engine.compile;

import java.nio.file.Path;
import org.rankunit.engine.compile.source.KernelSource;

/** What became of one kernel. */
public sealed interface KernelResult {

    /**
     * There is a library.
     *
     * @param source what it was compiled from
     * @param fresh whether it was compiled now, not found in the cache
     * @param nanos how long that took
     */
    record Ready(KernelSource source, Path library, boolean fresh, long nanos) implements KernelResult {}

    /**
     * There is none.
     *
     * @param why for the author of a test that needs it: which kernel, which sources, why, and what to do
     * @param ofAll why no kernel is compiled, as when there is no compiler; empty if the reason is this kernel's own
     */
    record Failed(String why, String ofAll) implements KernelResult {

        /** A kernel that has a reason of its own. */
        public Failed(String why) {
            this(why, "");
        }
    }
}
