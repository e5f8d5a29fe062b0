package org.rankunit.collective.exchange.msccl.xml;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.rankunit.collective.exchange.msccl.program.Connection;

/** Finds which sends meet which receives: on a connection, message by message in the order of the steps. */
final class Connections {

    private record Key(int from, int to, int channel) {}

    private record Pair(int one, int other) {}

    private final int slots;
    private final Map<Key, RawBlock> senders = new LinkedHashMap<>();
    private final Map<Key, RawBlock> receivers = new LinkedHashMap<>();

    Connections(List<List<RawBlock>> ranks, int slots) {
        this.slots = slots;
        for (List<RawBlock> blocks : ranks) {
            for (RawBlock block : blocks) {
                if (!sends(block).isEmpty()) {
                    add(
                            senders,
                            new Key(block.rank(), block.send(), block.channel()),
                            block,
                            "send to gpu " + block.send());
                }
                if (!receives(block).isEmpty()) {
                    add(
                            receivers,
                            new Key(block.recv(), block.rank(), block.channel()),
                            block,
                            "receive from gpu " + block.recv());
                }
            }
        }
    }

    private static void add(Map<Key, RawBlock> ends, Key key, RawBlock block, String what) {
        RawBlock before = ends.putIfAbsent(key, block);
        if (before != null) {
            throw block.element()
                    .error("threadblocks " + before.id() + " and " + block.id() + " of gpu " + block.rank() + " both "
                            + what + " on channel " + block.channel() + "; give one of them another chan");
        }
    }

    private static List<RawStep> sends(RawBlock block) {
        return block.steps().stream().filter(step -> step.type().sends()).toList();
    }

    private static List<RawStep> receives(RawBlock block) {
        return block.steps().stream().filter(step -> step.type().receives()).toList();
    }

    List<Connection> all() {
        receivers.forEach((key, block) -> {
            if (!senders.containsKey(key)) {
                throw unmatched(receives(block).get(0), "receives", key, "no step there sends");
            }
        });
        Map<Pair, Integer> links = new HashMap<>();
        List<Connection> all = new ArrayList<>();
        senders.forEach((key, block) -> {
            RawBlock receiver = receivers.get(key);
            if (receiver == null) {
                throw unmatched(sends(block).get(0), "sends", key, "no step there receives");
            }
            requireMatched(key, sends(block), receives(receiver));
            Pair pair = new Pair(Math.min(key.from(), key.to()), Math.max(key.from(), key.to()));
            List<Integer> widths = widths(sends(block));
            int first = links.merge(pair, widths.size(), Integer::sum) - widths.size();
            all.add(new Connection(
                    all.size(),
                    key.from(),
                    key.to(),
                    key.channel(),
                    sends(block).size(),
                    widths,
                    first));
        });
        return all;
    }

    private List<Integer> widths(List<RawStep> sends) {
        List<Integer> widths = new ArrayList<>();
        for (int message = 0; message < sends.size(); message++) {
            int count = sends.get(message).resolved().count();
            if (message < slots) {
                widths.add(count);
            } else {
                widths.set(message % slots, Math.max(widths.get(message % slots), count));
            }
        }
        return widths;
    }

    private static MscclFormatException unmatched(RawStep step, String does, Key key, String missing) {
        boolean sends = does.equals("sends");
        return step.element()
                .error("it " + does + (sends ? " to gpu " + key.to() : " from gpu " + key.from()) + " on channel "
                        + key.channel() + ", and " + missing);
    }

    private static void requireMatched(Key key, List<RawStep> sends, List<RawStep> receives) {
        for (int message = 0; message < Math.min(sends.size(), receives.size()); message++) {
            int sent = sends.get(message).resolved().count();
            int taken = receives.get(message).resolved().count();
            if (sent != taken) {
                throw receives.get(message)
                        .element()
                        .error("it receives " + taken + " chunks, and message " + message + " from gpu " + key.from()
                                + " on channel " + key.channel() + " has " + sent + " (line "
                                + sends.get(message).element().line() + ")");
            }
        }
        String there = "gpu " + key.from() + " sends " + sends.size() + " messages to gpu " + key.to() + " on channel "
                + key.channel() + ", which receives " + receives.size();
        if (sends.size() > receives.size()) {
            throw sends.get(receives.size()).element().error("nothing receives what it sends: " + there);
        }
        if (receives.size() > sends.size()) {
            throw receives.get(sends.size()).element().error("nothing sends what it receives: " + there);
        }
    }
}
