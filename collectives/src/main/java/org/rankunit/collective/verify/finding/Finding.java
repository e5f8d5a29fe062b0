package org.rankunit.collective.verify.finding;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.util.List;
import org.apiguardian.api.API;
import org.rankunit.collective.schedule.Task;

/**
 * Something that is wrong with a schedule.
 *
 * @param text a sentence that says what
 * @param tasks that are involved, the earlier one first
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public record Finding(FindingKind kind, String text, List<Task> tasks) {

    public Finding {
        tasks = tasks.stream().distinct().toList();
    }

    /** Returns the kind, the sentence, and a line for each task. */
    @Override
    public String toString() {
        StringBuilder all = new StringBuilder(kind + ": " + text);
        tasks.forEach(task -> all.append("\n    ").append(task));
        return all.toString();
    }
}
