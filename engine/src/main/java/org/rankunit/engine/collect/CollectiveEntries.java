package org.rankunit.engine.collect;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.rankunit.collective.picture.CollectivePicture;
import org.rankunit.engine.merge.collectives.Measurement;
import org.rankunit.engine.merge.collectives.RanCollective;
import org.rankunit.engine.merge.outcome.TestResult;
import org.rankunit.engine.report.RunReport;

/** What the report says of the collectives that a test ran. */
final class CollectiveEntries {

    private CollectiveEntries() {}

    static List<RunReport.CollectiveRuns> of(TestResult result) {
        return result.collectives().stream()
                .map(each -> new RunReport.CollectiveRuns(
                        each.algorithm(),
                        each.call(),
                        each.tag(),
                        each.runs(),
                        each.tasks(),
                        noPictureOf(each, result.ranks()),
                        each.measurement().map(CollectiveEntries::measured).orElse(null)))
                .toList();
    }

    private static RunReport.Measured measured(Measurement found) {
        return new RunReport.Measured(
                found.bytes(),
                found.type(),
                found.micros(),
                found.algorithmBandwidth(),
                found.busBandwidth(),
                found.wrong());
    }

    /** A rank that knows of too many tasks draws nothing, and leaves the sentence to who knows the tasks of all. */
    private static @Nullable String noPictureOf(RanCollective ran, int ranks) {
        return ran.picture().missing().isEmpty()
                ? CollectivePicture.unsupportedReason(ran.algorithm(), ranks, ran.tasks())
                        .orElse(null)
                : ran.picture().missing();
    }

    static List<RunReport.Picture> picturesOf(TestResult result) {
        return result.collectives().stream()
                .filter(each -> !each.picture().svg().isEmpty())
                .map(each -> new RunReport.Picture(
                        each.algorithm(), each.call(), each.picture().svg()))
                .toList();
    }
}
