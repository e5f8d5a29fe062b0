package org.rankunit.engine.launch.crash;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.rankunit.device.running.RunningKernel;
import org.rankunit.device.running.RunningKernels;
import org.rankunit.engine.launch.ExitStatus;
import org.slf4j.LoggerFactory;

/** How the process of a rank ended: by itself or by a signal, and in which kernel. */
public final class ProcessEnd {

    /** Of kernels that ran on other threads, so many are named. */
    private static final int MAX_KERNELS = 3;

    private ProcessEnd() {}

    /**
     * Describe the end of a process. A JVM that crashes ends in a way that says nothing about the crash, so its report counts and
     * not the status.
     *
     * @param crashReport where its JVM writes a report; it need not exist
     * @param runningKernels where it notes which kernels run; it need not exist
     */
    public static String describe(ExitStatus status, Path crashReport, Path runningKernels) {
        Optional<CrashReport> report = CrashReport.of(crashReport);
        String how = report.map(ProcessEnd::crashed).orElseGet(status::describe);
        return how + kernels(report.map(CrashReport::thread).orElse(0), runningKernels);
    }

    /** The thread that has ended the process by a crash, {@code abort} or {@code exit}; 0 if none is known to have. */
    public static int thread(Path crashReport, Path runningKernels) {
        return CrashReport.of(crashReport).map(CrashReport::thread).orElseGet(() -> endingThread(runningKernels));
    }

    private static int endingThread(Path runningKernels) {
        try {
            return RunningKernels.read(runningKernels)
                    .map(RunningKernels::endingThread)
                    .orElse(0);
        } catch (IOException e) {
            LoggerFactory.getLogger(ProcessEnd.class)
                    .debug("{} does not say which thread ended the process", runningKernels, e);
            return 0;
        }
    }

    /** Describe a crash by the report of the JVM; empty if it did not write one. */
    public static Optional<String> crash(Path crashReport) {
        return CrashReport.of(crashReport).map(ProcessEnd::crashed);
    }

    private static String crashed(CrashReport report) {
        return "crashed in native code"
                + report.signal().map(signal -> " and was ended by " + signal).orElse("");
    }

    private static String kernels(int crashed, Path file) {
        try {
            return RunningKernels.read(file)
                    .map(running -> kernels(running.kernels(), crashed != 0 ? crashed : running.endingThread()))
                    .orElse("");
        } catch (IOException e) {
            LoggerFactory.getLogger(ProcessEnd.class).debug("{} does not say which kernels ran", file, e);
            return "";
        }
    }

    /** If a thread has ended the process that ran no kernel, kernels on other threads have nothing to do with it. */
    private static String kernels(List<RunningKernel> running, int ending) {
        if (ending != 0) {
            return running.stream()
                    .filter(kernel -> kernel.thread() == ending)
                    .findFirst()
                    .map(kernel -> " in " + kernel.describe())
                    .orElse("");
        }
        List<RunningKernel> busy =
                running.stream().filter(kernel -> !kernel.waits()).toList();
        List<RunningKernel> named = busy.isEmpty() ? running : busy;
        if (named.isEmpty()) {
            return "";
        }
        int more = named.size() - MAX_KERNELS;
        return named.stream()
                .limit(MAX_KERNELS)
                .map(RunningKernel::describe)
                .collect(Collectors.joining(", ", " while ", (more > 0 ? " and " + more + " more" : "") + " ran"));
    }
}
