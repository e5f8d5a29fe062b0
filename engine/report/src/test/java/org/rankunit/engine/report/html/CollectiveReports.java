package org.rankunit.engine.report.html;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.rankunit.DType;
import org.rankunit.collective.algorithms.ring.RingAllReduce;
import org.rankunit.collective.call.Collective;
import org.rankunit.collective.call.CollectiveCall;
import org.rankunit.collective.picture.CollectivePicture;
import org.rankunit.collective.schedule.Schedule;
import org.rankunit.engine.report.RunReport;

/** Reports of tests that run collectives by schedules. */
final class CollectiveReports {

    static final CollectiveCall CALL = CollectiveCall.of(Collective.ALL_REDUCE, 4, DType.FLOAT32, 1024);

    private CollectiveReports() {}

    /** A ring that has a picture, under two tags; a mesh whose picture is another page's; and one that is too large. */
    static RunReport drawn() {
        return of(CollectivePicture.of(Schedule.of(new RingAllReduce(), CALL)).plainSvg());
    }

    /** An algorithm is measured with two sizes. */
    static RunReport measured() {
        RunReport plain = SampleReports.passing(2, 4);
        List<RunReport.CollectiveRuns> both = List.of(
                measured("Ring", 4096, 0.5),
                measured("Ring", 65_536, 6),
                measured("Mesh", 4096, 0.8),
                measured("Mesh", 65_536, 3.5));
        return SampleReports.report(
                List.of(plain.tests().get(0), with(plain.tests().get(1), both)));
    }

    private static RunReport.CollectiveRuns measured(String algorithm, long bytes, double busbw) {
        return new RunReport.CollectiveRuns(
                algorithm,
                "all-reduce of " + bytes,
                "",
                20,
                216,
                "not drawn",
                new RunReport.Measured(bytes, "float32", 12.5, busbw / 1.5, busbw, 0));
    }

    /** The picture holds what is no shape. */
    static RunReport hostile() {
        return of("<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"cp\" onload=\"document.title='owned'\">"
                + "<script>document.title='owned'</script><a href=\"https://example.org\"><text>a</text></a>"
                + "<foreignObject><iframe xmlns=\"http://www.w3.org/1999/xhtml\"/></foreignObject>"
                + "<rect class=\"bar\" style=\"fill:red\" x=\"1\" width=\"5\" height=\"5\"/></svg>");
    }

    private static RunReport of(String svg) {
        RunReport plain = SampleReports.passing(1, 4);
        return new RunReport(
                plain.schemaVersion(),
                plain.version(),
                plain.run(),
                plain.platform(),
                plain.java(),
                plain.written(),
                plain.executions(),
                List.of(with(
                        plain.tests().get(0),
                        List.of(
                                ran("RingAllReduce", "gradients", null),
                                ran("RingAllReduce", "weights", null),
                                ran("MeshAllReduce", "", null),
                                ran("Large", "", "Large of 64 ranks has 4,000 tasks: too many")))),
                List.of(new RunReport.Picture("RingAllReduce", CALL.toString(), svg)));
    }

    private static RunReport.CollectiveRuns ran(String algorithm, String tag, @Nullable String noPicture) {
        return new RunReport.CollectiveRuns(
                algorithm,
                CALL.toString(),
                tag,
                20,
                216,
                noPicture,
                noPicture == null && tag.isEmpty()
                        ? new RunReport.Measured(4096, "float32", 12.5, 0.32768, 0.49152, 0)
                        : null);
    }

    private static RunReport.TestEntry with(RunReport.TestEntry test, List<RunReport.CollectiveRuns> collectives) {
        return new RunReport.TestEntry(
                test.uniqueId(),
                test.name(),
                test.displayName(),
                test.attempt(),
                test.execution(),
                test.variant(),
                test.devices(),
                test.group(),
                test.start(),
                test.result(),
                test.reason(),
                test.hang(),
                test.retry(),
                test.timeline(),
                test.rounds(),
                collectives,
                "@MinBusBandwidth(40.0) was not judged on a2a3sim",
                test.milliseconds(),
                test.ranks(),
                test.nodes());
    }
}
