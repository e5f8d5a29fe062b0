package org.rankunit.engine.collect;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.rankunit.engine.group.GroupWatch;
import org.rankunit.engine.plan.GroupPlan;
import org.rankunit.engine.protocol.DeviceRef;
import org.rankunit.engine.report.RunClock;
import org.rankunit.engine.report.RunReport;

/** Collects who held which devices when. Thread-safe. */
public final class OccupancyCollector implements GroupWatch {

    /** Receives how long it took to end a group. */
    public interface GroupEnds {

        void ended(int group, long nanos);
    }

    private final RunClock clock;
    private final GroupEnds ends;

    // Guarded by this.
    private final Map<Integer, Group> groups = new TreeMap<>();
    private final List<RunReport.Refusal> refusals = new ArrayList<>();

    public OccupancyCollector(RunClock clock, GroupEnds ends) {
        this.clock = clock;
        this.ends = ends;
    }

    /** What is known of a group so far. */
    private static final class Group {

        private final String platform;
        private final String className;
        private final double asked;
        private final double leased;
        private final List<RunReport.ClassUse> uses = new ArrayList<>();
        private List<DeviceRef> devices;
        private @Nullable Double up;
        private @Nullable Double released;

        Group(GroupPlan plan, List<DeviceRef> devices, double asked, double leased) {
            this.platform = plan.platform().id();
            this.className = plan.className();
            this.devices = List.copyOf(devices);
            this.asked = asked;
            this.leased = leased;
        }

        RunReport.GroupUse numbered(int number) {
            return new RunReport.GroupUse(
                    number,
                    platform,
                    devices.stream().map(DeviceRef::id).toList(),
                    className,
                    asked,
                    leased,
                    up,
                    released,
                    List.copyOf(uses),
                    RunReport.nodesOf(devices));
        }
    }

    @Override
    public synchronized void refused(GroupPlan plan, long asked, String why) {
        refusals.add(new RunReport.Refusal(
                plan.className(), plan.platform().id(), plan.ranks(), clock.at(asked), now(), why));
    }

    @Override
    public synchronized void leased(int group, GroupPlan plan, List<DeviceRef> devices, long asked) {
        groups.put(group, new Group(plan, devices, clock.at(asked), now()));
    }

    @Override
    public synchronized void up(int group, List<DeviceRef> devices) {
        of(group).devices = List.copyOf(devices);
        of(group).up = now();
    }

    @Override
    public synchronized void taken(int group, GroupPlan plan) {
        of(group).uses.add(new RunReport.ClassUse(plan.className(), now(), null));
    }

    @Override
    public synchronized void givenBack(int group) {
        List<RunReport.ClassUse> uses = of(group).uses;
        RunReport.ClassUse last = uses.remove(uses.size() - 1);
        uses.add(new RunReport.ClassUse(last.className(), last.start(), now()));
    }

    @Override
    public void ended(int group, long nanos) {
        synchronized (this) {
            of(group).released = now();
        }
        ends.ended(group, nanos);
    }

    /** The execution until now. Its number is 1. */
    public synchronized RunReport.Execution execution() {
        List<RunReport.GroupUse> all = new ArrayList<>();
        groups.forEach((number, group) -> all.add(group.numbered(number)));
        return new RunReport.Execution(
                1, ProcessHandle.current().pid(), clock.started().toString(), now(), all, List.copyOf(refusals));
    }

    private Group of(int number) {
        Group group = groups.get(number);
        if (group == null) {
            throw new IllegalStateException("group " + number + " has never leased devices");
        }
        return group;
    }

    private double now() {
        return clock.at(System.nanoTime());
    }
}
