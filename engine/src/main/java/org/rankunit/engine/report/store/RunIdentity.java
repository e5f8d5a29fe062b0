package org.rankunit.engine.report.store;

import java.time.Instant;
import java.util.Arrays;

/**
 * Names the run that this process belongs to: a build tool may spread one run over several processes, which then write one
 * report together.
 */
final class RunIdentity {

    private RunIdentity() {}

    static String ofThisProcess() {
        ProcessHandle process = ProcessHandle.current();
        boolean forked = System.getProperty("surefire.test.class.path") != null
                || System.getProperty("surefire.real.class.path") != null;
        if (forked) {
            process = process.parent().orElse(process);
            // Between Maven and its fork stands a shell that was given the command as text.
            while (isCommandShell(process) && process.parent().isPresent()) {
                process = process.parent().get();
            }
        }
        Instant start = process.info().startInstant().orElse(Instant.EPOCH);
        return process.pid() + "@" + start;
    }

    private static boolean isCommandShell(ProcessHandle process) {
        return process.info()
                .arguments()
                .map(arguments -> Arrays.asList(arguments).contains("-c"))
                .orElse(false);
    }
}
