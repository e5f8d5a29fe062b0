package org.rankunit.engine.merge;

import java.util.ArrayList;
import java.util.List;
import org.junit.platform.engine.EngineExecutionListener;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.reporting.ReportEntry;

/** Records what JUnit is told, one line each. */
final class Told implements EngineExecutionListener {

    final List<String> lines = new ArrayList<>();
    final List<TestExecutionResult> failures = new ArrayList<>();

    /** The first line of each failure's message, in the order in which they were told. */
    List<String> headlines() {
        return failures.stream()
                .map(failure ->
                        failure.getThrowable().map(Throwable::getMessage).orElse(""))
                .map(message -> message.lines().findFirst().orElse(""))
                .toList();
    }

    /** The results alone, without starts. */
    List<String> results() {
        return lines.stream()
                .filter(line -> !line.startsWith("start ") && !line.startsWith("register "))
                .toList();
    }

    @Override
    public void dynamicTestRegistered(TestDescriptor test) {
        lines.add("register " + test.getLegacyReportingName());
    }

    @Override
    public void executionStarted(TestDescriptor test) {
        lines.add("start " + test.getLegacyReportingName());
    }

    @Override
    public void executionSkipped(TestDescriptor test, String reason) {
        lines.add("skip " + test.getLegacyReportingName() + ": " + reason);
    }

    @Override
    public void executionFinished(TestDescriptor test, TestExecutionResult result) {
        lines.add(result.getStatus() + " " + test.getLegacyReportingName());
        if (result.getStatus() == TestExecutionResult.Status.FAILED) {
            failures.add(result);
        }
    }

    @Override
    public void reportingEntryPublished(TestDescriptor test, ReportEntry entry) {
        lines.add("entry " + test.getLegacyReportingName() + " " + entry.getKeyValuePairs());
    }
}
