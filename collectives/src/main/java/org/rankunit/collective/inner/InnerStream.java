package org.rankunit.collective.inner;

import java.util.List;
import org.rankunit.collective.Link;
import org.rankunit.collective.LocalNotify;
import org.rankunit.collective.Orchestration;
import org.rankunit.collective.Region;
import org.rankunit.collective.Signal;
import org.rankunit.collective.TaskStream;

/** A stream whose links lead to members, by their numbers among the members. */
final class InnerStream implements TaskStream {

    private final Orchestration whole;
    private final TaskStream stream;
    private final List<Integer> members;

    InnerStream(Orchestration whole, TaskStream stream, List<Integer> members) {
        this.whole = whole;
        this.stream = stream;
        this.members = members;
    }

    private Link of(Link link) {
        return whole.link(members.get(link.peer()), link.number());
    }

    @Override
    public void copy(Region from, Region to) {
        stream.copy(from, to);
    }

    @Override
    public void reduce(Region from, Region to) {
        stream.reduce(from, to);
    }

    @Override
    public void put(Link link, Region from, Region to) {
        stream.put(of(link), from, to);
    }

    @Override
    public void get(Link link, Region from, Region to) {
        stream.get(of(link), from, to);
    }

    @Override
    public void putReduce(Link link, Region from, Region to) {
        stream.putReduce(of(link), from, to);
    }

    @Override
    public void getReduce(Link link, Region from, Region to) {
        stream.getReduce(of(link), from, to);
    }

    @Override
    public void post(LocalNotify notify) {
        stream.post(notify);
    }

    @Override
    public void waitFor(LocalNotify notify) {
        stream.waitFor(notify);
    }

    @Override
    public void post(Link link, Signal signal) {
        stream.post(of(link), signal);
    }

    @Override
    public void waitFor(Link link, Signal signal) {
        stream.waitFor(of(link), signal);
    }
}
