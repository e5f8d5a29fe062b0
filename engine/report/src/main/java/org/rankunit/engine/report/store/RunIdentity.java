package org.rankunit.engine.report.store;

import java.time.Instant;
import java.util.Arrays;

/**
 * Identifies the run to which this process belongs: a build tool may split one run over several processes, which then write
 * one common report.
 */
public final class RunIdentity {

    private RunIdentity() {}

    static String ofThisProcess() {
        ProcessHandle process = buildTool();
        Instant start = process.info().startInstant().orElse(Instant.EPOCH);
        return process.pid() + "@" + start;
    }

    /** The process that a person has started: this one, or Maven if this is one of its forks. */
    public static ProcessHandle buildTool() {
        ProcessHandle process = ProcessHandle.current();
        boolean forked = System.getProperty("surefire.test.class.path") != null
                || System.getProperty("surefire.real.class.path") != null;
        if (forked) {
            process = process.parent().orElse(process);
            // Maven starts its fork through a shell that gets the command as text.
            while (isCommandShell(process) && process.parent().isPresent()) {
                process = process.parent().get();
            }
        }
        return process;
    }

    private static boolean isCommandShell(ProcessHandle process) {
        return process.info()
                .arguments()
                .map(arguments -> Arrays.asList(arguments).contains("-c"))
                .orElse(false);
    }
}
