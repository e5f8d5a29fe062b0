package org.rankunit.engine.plan;

import java.util.List;
import org.rankunit.engine.config.Platform;
import org.rankunit.engine.control.BufferSpec;

/** What is to become of one test. */
public sealed interface TestDecision {

    /** It runs on as many devices of this platform as it has ranks, with these buffers. */
    record Runs(Platform platform, List<BufferSpec> buffers) implements TestDecision {}

    /** It cannot run here, which is nobody's fault. */
    record Skipped(String reason) implements TestDecision {}

    /** It fails without running: it is mistaken, or lacks the devices that the user wants it to have. */
    record Refused(String mistake) implements TestDecision {}
}
