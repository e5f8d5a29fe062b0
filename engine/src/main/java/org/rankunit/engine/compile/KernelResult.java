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
     */
    record Failed(String why) implements KernelResult {}
}
