package org.rankunit.engine.group;

import org.rankunit.engine.compile.BuiltKernels;
import org.rankunit.engine.compile.CompiledKernels;
import org.rankunit.engine.config.Platform;
import org.rankunit.engine.link.InterruptedGroupException;

/**
 * The stage of a group before it leases devices: no device is held while something is compiled.
 *
 * @param nanos how long the group waited for its kernels
 */
record CompileStage(BuiltKernels kernels, long nanos) {

    static CompileStage of(CompiledKernels kernels, Platform platform) {
        long begin = System.nanoTime();
        try {
            return new CompileStage(kernels.on(platform), System.nanoTime() - begin);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedGroupException();
        }
    }
}
