package org.rankunit.engine.group;

import org.rankunit.engine.compile.BuiltKernels;
import org.rankunit.engine.compile.CompiledKernels;
import org.rankunit.engine.config.Platform;
import org.rankunit.engine.link.InterruptedGroupException;
import org.rankunit.engine.protocol.Phase;

/**
 * The stage of a group before it leases devices: no device is held while something is compiled.
 *
 * @param began {@link System#nanoTime()} of its begin
 * @param nanos how long the group waited for its kernels
 * @param happened whether this was {@link Phase#COMPILE}: there are kernels with a source, and they were not ready yet
 */
record CompileStage(BuiltKernels kernels, long began, long nanos, boolean happened) {

    static CompileStage of(CompiledKernels kernels, Platform platform) {
        long begin = System.nanoTime();
        boolean ready = kernels.areReady(platform);
        try {
            BuiltKernels built = kernels.on(platform);
            return new CompileStage(built, begin, System.nanoTime() - begin, !ready && !built.isEmpty());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedGroupException();
        }
    }

    /** The phases so far of a group that has waited this long for its devices. */
    GroupPhases and(long reserveNanos) {
        return new GroupPhases(nanos, reserveNanos, 0, 0, began, happened, GroupPhases.Goldens.READY);
    }
}
