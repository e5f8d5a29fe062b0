package org.rankunit.engine.plan;

import java.util.List;
import org.rankunit.engine.config.Platform;
import org.rankunit.engine.protocol.BufferSpec;

/** The decision about one test. */
public sealed interface TestDecision {

    /** It runs on as many devices of this platform as it has ranks, with these buffers. */
    record Runs(Platform platform, List<BufferSpec> buffers) implements TestDecision {}

    /** It cannot or need not run here, which is not an error. */
    record Skipped(String reason) implements TestDecision {}

    /** It fails without running: its declaration is wrong, or the devices that the user requires are missing. */
    record Refused(String mistake) implements TestDecision {}
}
