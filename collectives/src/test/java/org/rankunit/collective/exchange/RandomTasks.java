package org.rankunit.collective.exchange;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.rankunit.collective.CollectiveAlgorithm;
import org.rankunit.collective.Link;
import org.rankunit.collective.Orchestration;
import org.rankunit.collective.Region;
import org.rankunit.collective.Resources;
import org.rankunit.collective.Signal;
import org.rankunit.collective.TaskStream;
import org.rankunit.collective.call.BufferKind;
import org.rankunit.collective.call.Collective;
import org.rankunit.collective.call.CollectiveCall;

/**
 * Tasks of no use in any order that ends: copies, reads, writes and reductions, with a signal now and then. What one step posts, the same
 * step awaits, on a link or a notify of its own; at the end, main streams wait for the others.
 */
public record RandomTasks(long seed, int steps, int subStreams) implements CollectiveAlgorithm {

    private enum Work {
        COPY,
        PUT,
        GET,
        PUT_REDUCE,
        GET_REDUCE,
        SIGNAL,
        NOTIFY
    }

    private record Step(int number, Work work, int rank, int stream, int peer, int peerStream, long bytes) {}

    @Override
    public Collective collective() {
        return Collective.ALL_REDUCE;
    }

    @Override
    public Resources resources(CollectiveCall call, int rank) {
        List<Integer> links = new ArrayList<>();
        for (int peer = 0; peer < call.ranks(); peer++) {
            for (int step = 0; step < steps && peer != rank; step++) {
                links.add(peer);
            }
        }
        return new Resources(0, subStreams, steps + subStreams, links);
    }

    private List<Step> all(CollectiveCall call) {
        Random random = new Random(seed);
        List<Work> works = List.of(Work.values());
        List<Step> all = new ArrayList<>();
        for (int number = 0; number < steps; number++) {
            int rank = random.nextInt(call.ranks());
            int peer = (rank + 1 + random.nextInt(call.ranks() - 1)) % call.ranks();
            Work work = random.nextBoolean() ? Work.SIGNAL : works.get(random.nextInt(works.size()));
            all.add(new Step(
                    number,
                    work,
                    rank,
                    random.nextInt(subStreams + 1),
                    peer,
                    random.nextInt(subStreams + 1),
                    4L * (1 + random.nextInt((int) call.count()))));
        }
        return all;
    }

    @Override
    public void orchestrate(Orchestration self) {
        for (Step step : all(self.call())) {
            if (step.rank() == self.rank()) {
                begin(self, step);
            }
            if (step.work() == Work.SIGNAL && step.peer() == self.rank()) {
                stream(self, step.peerStream()).waitFor(self.link(step.rank(), step.number()), Signal.ACK);
            }
        }
        IntStream.range(0, subStreams).forEach(sub -> {
            self.sub(sub).post(self.notify(steps + sub));
            self.main().waitFor(self.notify(steps + sub));
        });
    }

    private static TaskStream stream(Orchestration self, int number) {
        return number == 0 ? self.main() : self.sub(number - 1);
    }

    private static void begin(Orchestration self, Step step) {
        TaskStream stream = stream(self, step.stream());
        Link link = self.link(step.peer(), step.number());
        Region from = self.input().part(0, step.bytes());
        Region to = self.output().part(0, step.bytes());
        Region theirInput = self.buffer(BufferKind.INPUT, step.peer()).part(0, step.bytes());
        Region theirOutput = self.buffer(BufferKind.OUTPUT, step.peer()).part(0, step.bytes());
        switch (step.work()) {
            case COPY -> stream.copy(from, to);
            case PUT -> stream.put(link, from, theirOutput);
            case GET -> stream.get(link, theirInput, to);
            case PUT_REDUCE -> stream.putReduce(link, from, theirOutput);
            case GET_REDUCE -> stream.getReduce(link, theirInput, to);
            case SIGNAL -> stream.post(link, Signal.ACK);
            case NOTIFY -> {
                stream.post(self.notify(step.number()));
                stream(self, step.peerStream()).waitFor(self.notify(step.number()));
            }
        }
    }
}
