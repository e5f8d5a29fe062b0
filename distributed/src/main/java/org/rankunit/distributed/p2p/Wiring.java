package org.rankunit.distributed.p2p;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.rankunit.device.Device;
import org.rankunit.device.DeviceException;
import org.rankunit.device.Notify;
import org.rankunit.distributed.device.DeviceMembers;

/** The notifies of a group: those of this member, and those of the others that it posts. */
final class Wiring {

    /**
     * The notifies of a channel. One of the two is this member's own, and the other one is imported.
     *
     * @param ready the receiver waits for it: a piece of a message has come
     * @param taken the sender waits for it: the piece was answered
     */
    record Signals(Notify ready, Notify taken) {}

    /** How the answer of a rank begins that has no notifies; keys do not begin so. */
    private static final String NO_KEYS = "!";

    private static final int KINDS = 2;
    private static final int READY = 0;
    private static final int TAKEN = 1;

    private final int members;

    /** For each kind of channel, member and kind of notify. */
    private final List<Notify> own;

    private final List<Notify> imported;

    private Wiring(int members, List<Notify> own, List<Notify> imported) {
        this.members = members;
        this.own = own;
        this.imported = imported;
    }

    /**
     * Make the notifies, and exchange their keys. All ranks of the test call this.
     *
     * @param allGather gets what each rank of the test gives
     * @return without notifies if this rank is no member
     * @throws UnsupportedOperationException on all ranks if one has no such notifies
     */
    static Wiring of(DeviceMembers group, UnaryOperator<List<String>> allGather) {
        Device device = group.rank().device();
        List<Notify> own = new ArrayList<>();
        List<Notify> imported = new ArrayList<>();
        Wiring wiring = new Wiring(group.size(), own, imported);
        try {
            List<String> keys = allGather.apply(List.of(group.own() < 0 ? "" : keys(device, own, group.size())));
            requireAll(keys);
            if (group.own() >= 0) {
                wiring.importAll(device, group, keys);
            }
            return wiring;
        } catch (RuntimeException e) {
            wiring.close();
            throw e;
        }
    }

    private static String keys(Device device, List<Notify> own, int members) {
        try {
            for (int i = 0; i < ChannelKind.values().length * members * KINDS; i++) {
                own.add(device.createNotify());
            }
            return String.join("\n", own.stream().map(Notify::exportKey).toList());
        } catch (DeviceException e) {
            return NO_KEYS + e.getMessage();
        }
    }

    private static void requireAll(List<String> keys) {
        for (int rank = 0; rank < keys.size(); rank++) {
            if (keys.get(rank).startsWith(NO_KEYS)) {
                throw new UnsupportedOperationException("rank " + rank + " has no notifies for messages: "
                        + keys.get(rank).substring(NO_KEYS.length()));
            }
        }
    }

    /** Of each member, those that are for this one. */
    private void importAll(Device device, DeviceMembers group, List<String> keys) {
        for (ChannelKind channel : ChannelKind.values()) {
            for (int member = 0; member < members; member++) {
                String[] ofMember = keys.get(group.ranks().get(member)).split("\n", -1);
                for (int kind = 0; kind < KINDS; kind++) {
                    imported.add(device.importNotify(ofMember[index(channel, group.own(), kind)]));
                }
            }
        }
    }

    private int index(ChannelKind channel, int member, int kind) {
        return ((channel.number() * members) + member) * KINDS + kind;
    }

    /** For messages of this member to another one. */
    Signals out(ChannelKind channel, int member) {
        return new Signals(imported.get(index(channel, member, READY)), own.get(index(channel, member, TAKEN)));
    }

    /** For messages of another member to this one. */
    Signals in(ChannelKind channel, int member) {
        return new Signals(own.get(index(channel, member, READY)), imported.get(index(channel, member, TAKEN)));
    }

    void close() {
        imported.forEach(Notify::close);
        own.forEach(Notify::close);
    }
}
