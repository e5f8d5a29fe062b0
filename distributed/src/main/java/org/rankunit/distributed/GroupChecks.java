package org.rankunit.distributed;

import java.util.HashSet;
import java.util.List;

/** Refuses calls of a group that cannot be. */
final class GroupChecks {

    private GroupChecks() {}

    static void requireMember(String name, int member, int worldSize) {
        if (member < 0 || member >= worldSize) {
            throw new IllegalArgumentException(name + " = " + member + ": members are 0 to " + (worldSize - 1));
        }
    }

    static void requireDifferentMembers(List<Integer> members, int worldSize) {
        if (members.isEmpty() || new HashSet<>(members).size() != members.size()) {
            throw new IllegalArgumentException("members are different ranks, at least one: " + members);
        }
        members.forEach(member -> {
            if (member < 0 || member >= worldSize) {
                throw new IllegalArgumentException("there is no rank " + member + " in a world of " + worldSize);
            }
        });
    }

    /** Get how many elements a piece has for each member. */
    static int requirePieces(GroupTensor output, GroupTensor input, int worldSize) {
        if (output.type() != input.type()
                || output.partCount() != input.partCount()
                || input.partCount() % worldSize != 0) {
            throw new IllegalArgumentException("parts of " + input.partCount() + " " + input.type() + " and of "
                    + output.partCount() + " " + output.type() + " do not both hold " + worldSize + " equal pieces");
        }
        return input.partCount() / worldSize;
    }

    static void requireGathered(GroupTensor gathered, GroupTensor parts, int worldSize) {
        if (gathered.type() != parts.type() || (long) gathered.partCount() != (long) parts.partCount() * worldSize) {
            throw new IllegalArgumentException("a part of " + gathered.partCount() + " " + gathered.type()
                    + " does not hold " + worldSize + " parts of " + parts.partCount() + " " + parts.type());
        }
    }
}
