package org.rankunit.collective.picture;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.rankunit.collective.schedule.Task;
import org.rankunit.collective.verify.finding.Finding;
import org.rankunit.collective.verify.finding.FindingKind;

/** What was found wrong with a schedule, and the tasks that are marked for it. */
final class Marks {

    private final List<Finding> findings;
    private final Set<Place> places = new HashSet<>();

    /** A task is known by its place: whether its line was recorded makes no difference. */
    record Place(int rank, int stream, int place) {

        static Place of(Task task) {
            return new Place(task.rank(), task.stream(), task.place());
        }
    }

    Marks(List<Finding> findings) {
        this.findings = List.copyOf(findings);
        for (Finding finding : findings) {
            finding.tasks().forEach(task -> places.add(Place.of(task)));
        }
    }

    List<Finding> findings() {
        return findings;
    }

    boolean has(Task task) {
        return places.contains(Place.of(task));
    }

    /** Says what an edge between two tasks of a finding means; empty if it means nothing. */
    static String edge(FindingKind kind) {
        return switch (kind) {
            case RACE, NOTIFY_POSTED_TWICE, NOTIFY_AWAITED_TWICE -> "no order";
            case DEADLOCK -> "waits for";
            default -> "";
        };
    }
}
