package org.rankunit.collective.schedule;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.rankunit.collective.CollectiveAlgorithm;
import org.rankunit.collective.Link;
import org.rankunit.collective.LinkMemory;
import org.rankunit.collective.LocalNotify;
import org.rankunit.collective.Medium;
import org.rankunit.collective.Orchestration;
import org.rankunit.collective.OrchestrationException;
import org.rankunit.collective.Region;
import org.rankunit.collective.Resources;
import org.rankunit.collective.Signal;
import org.rankunit.collective.TaskStream;
import org.rankunit.collective.call.BufferKind;
import org.rankunit.collective.call.CollectiveCall;

/** Takes what an algorithm queues for one rank, and refuses what cannot be. */
final class RankOrchestration implements Orchestration {

    private final CollectiveCall call;
    private final int rank;
    private final Buffers buffers;
    private final Resources own;
    private final RankSchedule schedule;
    private final boolean withLines;
    private final Stream[] streams;
    /** How many links there are to each rank. */
    private final Map<Integer, Integer> links = new HashMap<>();
    /** The peer of the last link that was checked; tasks in a row often use the same one. */
    private int lastPeer = -1;

    /** Number of links to that peer. */
    private int linksToLast;

    /** The line of a file that tasks come from; null if they come from the algorithm's class. */
    private @Nullable String lineOfFile;

    private RankOrchestration(CollectiveCall call, Buffers buffers, RankSchedule schedule, boolean withLines) {
        this.call = call;
        this.rank = schedule.rank();
        this.buffers = buffers;
        this.own = schedule.resources();
        this.withLines = withLines;
        this.schedule = schedule;
        this.streams = new Stream[own.subStreams() + 1];
        for (int number = 0; number < streams.length; number++) {
            streams[number] = new Stream(number);
        }
        own.links().forEach(peer -> links.merge(peer, 1, Integer::sum));
        this.linksToLast = links.getOrDefault(lastPeer, 0);
    }

    /** @param schedule without tasks, which gets those of the algorithm */
    static RankSchedule of(
            CollectiveAlgorithm algorithm,
            CollectiveCall call,
            Buffers buffers,
            RankSchedule schedule,
            boolean withLines) {
        algorithm.orchestrate(new RankOrchestration(call, buffers, schedule, withLines));
        return schedule.built();
    }

    @Override
    public CollectiveCall call() {
        return call;
    }

    @Override
    public int rank() {
        return rank;
    }

    @Override
    public TaskStream main() {
        return streams[0];
    }

    @Override
    public TaskStream sub(int number) {
        if (number < 0 || number >= own.subStreams()) {
            throw refused("there is no sub stream " + number + "; resources have " + own.subStreams());
        }
        return streams[number + 1];
    }

    @Override
    public LocalNotify notify(int number) {
        if (number < 0 || number >= own.notifies()) {
            throw refused("there is no notify " + number + "; resources have " + own.notifies());
        }
        return new LocalNotify(number);
    }

    @Override
    public Link link(int peer, int number) {
        Medium medium = peer >= 0 && call.sameServer(rank, peer) ? Medium.SDMA : Medium.RDMA;
        Link link = new Link(rank, peer, number, medium, LinkMemory.of(call.memory()));
        checkLink(link);
        return link;
    }

    private void checkLink(Link link) {
        if (link.peer() != lastPeer) {
            lastPeer = link.peer();
            linksToLast = links.getOrDefault(lastPeer, 0);
        }
        int known = linksToLast;
        if (link.self() != rank || link.number() < 0 || link.number() >= known) {
            throw refused("there is no such link: " + link + "; resources have " + known + " to that rank");
        }
    }

    @Override
    public Region buffer(BufferKind kind, int owner) {
        return buffers.whole(kind, owner);
    }

    @Override
    public void setLine(String line) {
        lineOfFile = line;
    }

    private OrchestrationException refused(String reason) {
        String line = lineOfFile != null ? lineOfFile : AlgorithmLine.ofCaller();
        return new OrchestrationException("rank " + rank + (line == null ? "" : " at " + line) + ": " + reason);
    }

    private void checkLocal(Region region) {
        if (region.rank() != rank) {
            throw refused(region + " belongs to another rank; use put or get");
        }
        checkInside(region);
    }

    private void checkRemote(Region region, Link link) {
        checkLink(link);
        if (region.rank() != link.peer()) {
            throw refused(region + " is not of the rank at the other end of " + link);
        }
        if (!call.memory().reaches(region.buffer())) {
            throw refused(region + " cannot be reached by other ranks in mode " + call.memory());
        }
        checkInside(region);
    }

    private void checkInside(Region region) {
        long size = buffers.whole(region.buffer(), region.rank()).bytes();
        if (region.from() + region.bytes() > size) {
            throw refused(region + " is not inside the buffer, which has " + size + " bytes");
        }
    }

    private void checkPair(TaskKind kind, Region from, Region to) {
        if (from.bytes() != to.bytes()) {
            throw refused(kind + " of " + from.bytes() + " bytes to " + to.bytes());
        }
        if (to.buffer() == BufferKind.INPUT && !call.inPlace()) {
            throw refused(kind + " would change " + to + ", which belongs to the caller");
        }
        if (kind.reduces()) {
            int size = call.elementBytes();
            if (from.from() % size != 0 || to.from() % size != 0 || from.bytes() % size != 0) {
                throw refused(kind + " of " + from + " into " + to + " divides elements of " + size + " bytes");
            }
        }
    }

    /** In place, two buffers are one memory: get the region of the larger one. */
    private Region resolved(Region region) {
        if (!call.inPlace()) {
            return region;
        }
        BufferKind outer = call.inputLiesInOutput(region.rank()) ? BufferKind.OUTPUT : BufferKind.INPUT;
        BufferKind inner = outer == BufferKind.OUTPUT ? BufferKind.INPUT : BufferKind.OUTPUT;
        if (region.buffer() != inner) {
            return region;
        }
        return new Region(region.rank(), outer, region.from() + call.inPlaceOffset(region.rank()), region.bytes());
    }

    private final class Stream implements TaskStream {

        private final int number;

        Stream(int number) {
            this.number = number;
        }

        @Override
        public void copy(Region from, Region to) {
            inside(TaskKind.COPY, from, to);
        }

        @Override
        public void reduce(Region from, Region to) {
            inside(TaskKind.REDUCE, from, to);
        }

        private void inside(TaskKind kind, Region from, Region to) {
            checkLocal(from);
            checkLocal(to);
            add(kind, -1, 0, from, to);
        }

        @Override
        public void put(Link link, Region from, Region to) {
            checkLocal(from);
            checkRemote(to, link);
            add(TaskKind.PUT, link.peer(), link.number(), from, to);
        }

        @Override
        public void get(Link link, Region from, Region to) {
            checkRemote(from, link);
            checkLocal(to);
            add(TaskKind.GET, link.peer(), link.number(), from, to);
        }

        @Override
        public void putReduce(Link link, Region from, Region to) {
            checkLocal(from);
            checkRemote(to, link);
            add(TaskKind.PUT_REDUCE, link.peer(), link.number(), from, to);
        }

        @Override
        public void getReduce(Link link, Region from, Region to) {
            checkRemote(from, link);
            checkLocal(to);
            add(TaskKind.GET_REDUCE, link.peer(), link.number(), from, to);
        }

        private void add(TaskKind kind, int peer, int link, Region from, Region to) {
            checkPair(kind, from, to);
            Region read = resolved(from);
            Region written = resolved(to);
            if (from.bytes() == 0 || (kind == TaskKind.COPY && read.equals(written))) {
                return;
            }
            schedule.addTransfer(kind, number, peer, link, read, written, line());
        }

        @Override
        public void post(LocalNotify notify) {
            local(TaskKind.POST, notify);
        }

        @Override
        public void waitFor(LocalNotify notify) {
            local(TaskKind.WAIT, notify);
        }

        private void local(TaskKind kind, LocalNotify notify) {
            RankOrchestration.this.notify(notify.number());
            schedule.addSignal(kind, number, -1, notify.number(), line());
        }

        @Override
        public void post(Link link, Signal signal) {
            signal(TaskKind.POST, link, signal);
        }

        @Override
        public void waitFor(Link link, Signal signal) {
            signal(TaskKind.WAIT, link, signal);
        }

        private void signal(TaskKind kind, Link link, Signal signal) {
            checkLink(link);
            if (!link.medium().has(signal)) {
                throw refused(link + " has no " + signal + ", since it is " + link.medium());
            }
            schedule.addSignal(kind, number, link.peer(), NotifyName.codeOf(link.number(), signal), line());
        }

        private @Nullable String line() {
            if (!withLines) {
                return null;
            }
            return lineOfFile != null ? lineOfFile : AlgorithmLine.ofCaller();
        }
    }
}
