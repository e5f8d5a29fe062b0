package org.rankunit.collective.simulate;

import static org.apiguardian.api.API.Status.INTERNAL;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apiguardian.api.API;
import org.rankunit.collective.call.Servers;

/**
 * The ports of all ranks, the uplinks and downlinks of all servers, and who waits for them. Time passes elsewhere: who uses this tells
 * when a transfer begins, and releases a port when its time has come.
 */
@API(status = INTERNAL, since = "0.1")
public final class Network {

    private final List<Level> levels;
    private final int ranks;
    private final Servers servers;
    /** Servers of a group, by level; in the outermost level, all of them. */
    private final int[] members;
    /** The number of the first uplink of each level but the outermost one; its downlink follows it. */
    private final int[] firstUplinks;
    /** Of a transfer through an uplink, by level and group: that of a port, or its share of the uplink. */
    private final double[][] uplinkBandwidths;

    private final Ports ports;

    public Network(Topology topology, Servers servers) {
        this.levels = topology.levels();
        this.ranks = servers.ranks();
        this.servers = servers;
        this.members = members(levels, servers);
        this.firstUplinks = new int[levels.size()];
        this.uplinkBandwidths = new double[levels.size()][];
        this.ports = new Ports(capacities());
    }

    private static int[] members(List<Level> levels, Servers servers) {
        int[] members = new int[levels.size()];
        for (int level = 0; level < members.length; level++) {
            long size = level == 0
                    ? 1
                    : (long) members[level - 1] * levels.get(level).members();
            boolean outermost = level == members.length - 1;
            members[level] = outermost ? servers.count() : (int) Math.min(size, servers.count());
        }
        return members;
    }

    /** The group of a level that a rank is in. */
    private int group(int rank, int level) {
        return servers.of(rank) / members[level];
    }

    private int groups(int level) {
        return (servers.count() - 1) / members[level] + 1;
    }

    /** How many ranks a group has. */
    private int ranks(int level, int group) {
        int first = group * members[level];
        int end = Math.min(servers.count(), first + members[level]);
        return servers.first(end - 1) + servers.size(end - 1) - servers.first(first);
    }

    /** The numbers of ports: for each rank, one to send and one to receive for each level; then uplinks and downlinks, by level. */
    private int[] capacities() {
        int count = 2 * ranks * levels.size();
        for (int level = 0; level < levels.size() - 1; level++) {
            firstUplinks[level] = count;
            count += 2 * groups(level);
        }
        int[] capacities = new int[count];
        for (int rank = 0; rank < ranks; rank++) {
            for (int level = 0; level < levels.size(); level++) {
                capacities[out(rank, level)] = levels.get(level).links().ports();
                capacities[in(rank, level)] = levels.get(level).links().ports();
            }
        }
        for (int level = 0; level < levels.size() - 1; level++) {
            LinkModel above = levels.get(level + 1).links();
            uplinkBandwidths[level] = new double[groups(level)];
            for (int group = 0; group < groups(level); group++) {
                int slots = uplinkSlots(level, group);
                int first = firstUplinks[level] + (2 * group);
                Arrays.fill(capacities, first, first + 2, slots);
                double share = above.bandwidth() * uplinkPorts(level, group) / slots;
                uplinkBandwidths[level][group] = Math.min(above.bandwidth(), share);
            }
        }
        return capacities;
    }

    /** How many ports an uplink is as fast as. */
    private double uplinkPorts(int level, int group) {
        Level above = levels.get(level + 1);
        return above.links().ports() * ranks(level, group) / above.oversubscription();
    }

    /** How many transfers an uplink or a downlink carries at a time, as far as possible as fast as a port does. */
    private int uplinkSlots(int level, int group) {
        return Math.max(1, (int) uplinkPorts(level, group));
    }

    private int out(int rank, int level) {
        return 2 * ((rank * levels.size()) + level);
    }

    private int in(int rank, int level) {
        return out(rank, level) + (levels.get(level).links().duplex() ? 1 : 0);
    }

    private int uplink(int rank, int level) {
        return firstUplinks[level] + (2 * group(rank, level));
    }

    /** The innermost level at which both are in one group. */
    private int level(int from, int to) {
        int level = 0;
        while (group(from, level) != group(to, level)) {
            level++;
        }
        return level;
    }

    /** The ports that a transfer needs; links of groups only where it leaves them. */
    public int[] route(int from, int to) {
        int level = level(from, to);
        int[] route = new int[2 + (2 * level)];
        route[0] = out(from, level);
        route[1] = in(to, level);
        for (int below = 0; below < level; below++) {
            route[2 + (2 * below)] = uplink(from, below);
            route[3 + (2 * below)] = uplink(to, below) + 1;
        }
        return route;
    }

    public double latency(int from, int to) {
        return levels.get(level(from, to)).links().latency();
    }

    /** For how long a transfer occupies its ports. */
    public double seconds(int from, int to, long bytes) {
        int level = level(from, to);
        double bandwidth = levels.get(level).links().bandwidth();
        for (int below = 0; below < level; below++) {
            double up = uplinkBandwidths[below][group(from, below)];
            double down = uplinkBandwidths[below][group(to, below)];
            bandwidth = Math.min(bandwidth, Math.min(up, down));
        }
        return bytes / bandwidth;
    }

    /** Whether a transfer can begin now; if not, who asks waits at all of its ports. */
    public boolean isFreeOrWaits(int[] route, int who) {
        if (isFree(route)) {
            return true;
        }
        for (int port : route) {
            ports.await(port, who);
        }
        return false;
    }

    /** Whether the transfer of one who waits can begin now; if so, it waits no longer. */
    public boolean isFreeAgain(int[] route, int who) {
        if (!isFree(route)) {
            return false;
        }
        for (int port : route) {
            ports.stopWaiting(port, who);
        }
        return true;
    }

    private boolean isFree(int[] route) {
        for (int port : route) {
            if (!ports.isFree(port)) {
                return false;
            }
        }
        return true;
    }

    /** A transfer begins. */
    public void occupy(int[] route, int step, long bytes, double seconds) {
        for (int port : route) {
            ports.occupy(port, step, bytes, seconds);
        }
    }

    public void release(int port) {
        ports.release(port);
    }

    /** Who waits for a port, the one that came first at the front. */
    public List<Integer> waiting(int port) {
        return ports.waiting(port);
    }

    /** The last step that has occupied a port; -1 if there was none. */
    int holder(int port) {
        return ports.holder(port);
    }

    /** The share of the time for which sending ports to a level were occupied. */
    double busy(int level, double whole) {
        double busy = 0;
        for (int rank = 0; rank < ranks; rank++) {
            busy += ports.busy(out(rank, level));
        }
        return whole == 0
                ? 0
                : busy / (whole * ranks * levels.get(level).links().ports());
    }

    /** What each server has used, and each group of other levels; what carried nothing is left out. */
    List<PortUse> uses(double whole) {
        List<PortUse> uses = new ArrayList<>();
        for (int server = 0; server < servers.count(); server++) {
            for (int level = 0; level < levels.size(); level++) {
                addRanks(uses, level, PortKind.SENDING, server, whole);
                addRanks(uses, level, PortKind.RECEIVING, server, whole);
            }
            addLinks(uses, 0, server, whole);
        }
        for (int level = 1; level < levels.size() - 1; level++) {
            for (int group = 0; group < groups(level); group++) {
                addLinks(uses, level, group, whole);
            }
        }
        return uses;
    }

    private void addRanks(List<PortUse> uses, int level, PortKind kind, int server, double whole) {
        int first = servers.first(server);
        int end = first + servers.size(server);
        long bytes = 0;
        double seconds = 0;
        for (int rank = first; rank < end; rank++) {
            int port = out(rank, level) + (kind == PortKind.RECEIVING ? 1 : 0);
            bytes += ports.bytes(port);
            seconds += ports.busy(port);
        }
        double number = (double) (end - first) * levels.get(level).links().ports();
        add(uses, level, server, kind, bytes, seconds / number, whole);
    }

    private void addLinks(List<PortUse> uses, int level, int group, double whole) {
        if (level == levels.size() - 1) {
            return;
        }
        int up = firstUplinks[level] + (2 * group);
        int slots = uplinkSlots(level, group);
        add(uses, level, group, PortKind.UPLINK, ports.bytes(up), ports.busy(up) / slots, whole);
        add(uses, level, group, PortKind.DOWNLINK, ports.bytes(up + 1), ports.busy(up + 1) / slots, whole);
    }

    private static void add(
            List<PortUse> uses, int level, int group, PortKind kind, long bytes, double seconds, double whole) {
        if (bytes > 0) {
            uses.add(new PortUse(level, group, kind, bytes, whole == 0 ? 0 : seconds / whole));
        }
    }
}
