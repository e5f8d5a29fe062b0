package org.rankunit.pool.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.rankunit.pool.queue.JobOrder.Job;

@Tag("unit")
class JobOrderTest {

    @Test
    void theLongJobThatCameLastIsBegunFirst() {
        List<Job> jobs = List.of(new Job(1, 1), new Job(1, 1), new Job(1, 1), new Job(1, 3));
        assertThat(JobOrder.of(jobs, 2)).startsWith(3);
        assertThat(JobOrder.makespan(ordered(jobs, 2), 2)).isEqualTo(3);
    }

    @Test
    void narrowJobsFillWhatWideOnesLeave() {
        List<Job> jobs = List.of(new Job(6, 10), new Job(2, 10), new Job(5, 10), new Job(3, 10));
        assertThat(JobOrder.makespan(ordered(jobs, 8), 8)).isEqualTo(20);
    }

    @Test
    void jobsThatAreAlikeKeepTheirOrder() {
        assertThat(JobOrder.of(List.of(new Job(2, 5), new Job(2, 5), new Job(2, 5)), 4))
                .containsExactly(0, 1, 2);
        assertThat(JobOrder.of(List.of(), 4)).isEmpty();
    }

    @Test
    void whateverTheJobsEachIsThereOnceAndTheReckoningKeepsItsBounds() {
        Random random = new Random(11);
        for (int round = 0; round < 60; round++) {
            int devices = 1 + random.nextInt(16);
            List<Job> jobs = new ArrayList<>();
            for (int i = random.nextInt(60) + 1; i > 0; i--) {
                jobs.add(new Job(
                        1 + random.nextInt(devices), (long) Math.ceil(10 / Math.sqrt(random.nextDouble() + 1e-4))));
            }
            List<Integer> order = JobOrder.of(jobs, devices);
            assertThat(order)
                    .containsExactlyInAnyOrderElementsOf(
                            IntStream.range(0, jobs.size()).boxed().toList());
            long makespan = JobOrder.makespan(ordered(jobs, devices), devices);
            long area =
                    jobs.stream().mapToLong(job -> job.width() * job.duration()).sum();
            long longest = jobs.stream().mapToLong(Job::duration).max().orElseThrow();
            long oneByOne = jobs.stream().mapToLong(Job::duration).sum();
            assertThat(makespan * devices).isGreaterThanOrEqualTo(area);
            assertThat(makespan).isBetween(longest, oneByOne);
            assertThat(makespan).isLessThanOrEqualTo(JobOrder.makespan(byWeight(jobs), devices));
        }
    }

    @Test
    void aJobThatTakesNothingIsRefused() {
        assertThatThrownBy(() -> new Job(0, 1)).hasMessage("a job of 1 on 0 devices takes nothing");
    }

    private static List<Job> byWeight(List<Job> jobs) {
        return jobs.stream()
                .sorted((a, b) -> Long.compare(b.duration() * b.width(), a.duration() * a.width()))
                .toList();
    }

    private static List<Job> ordered(List<Job> jobs, int devices) {
        return JobOrder.of(jobs, devices).stream().map(jobs::get).toList();
    }
}
