package org.rankunit.comm.recorder;

import static org.apiguardian.api.API.Status.INTERNAL;

import java.util.Arrays;
import java.util.List;
import org.apiguardian.api.API;
import org.rankunit.comm.recorder.FlightRecorder.Series;
import org.rankunit.comm.recorder.RecordedOperation.Kind;

/** Records what the ranks of one domain wait for. */
@API(status = INTERNAL, since = "0.1")
public final class DomainOperations {

    private final FlightRecorder recorder;
    private final Series allocation;
    private final Series barriers;
    private final Series release;

    /**
     * @param ranks as numbered by the communicator
     * @param number the number of this domain among those of the same ranks, from 1
     */
    public DomainOperations(FlightRecorder recorder, int[] ranks, int number) {
        List<Integer> peers = Arrays.stream(ranks).boxed().toList();
        this.recorder = recorder;
        this.allocation = new Series(Kind.ALLOCATION, peers, number);
        this.barriers = new Series(Kind.BARRIER, peers, number);
        this.release = new Series(Kind.RELEASE, peers, number);
    }

    public void allocate(long bytes, Runnable operation) {
        recorder.record(allocation, bytes, operation);
    }

    public void barrier(Runnable operation) {
        recorder.record(barriers, 0, operation);
    }

    public void release(Runnable operation) {
        recorder.record(release, 0, operation);
    }
}
