package org.rankunit.engine.check.summary;

import java.util.Arrays;

/** To which run each actor belongs, and as what. Actors have numbers in the order in which they were made. */
final class RunActors {

    private static final int ROLE_BITS = 3;
    private static final int FEWEST = 1024;

    /** What an actor is. */
    enum Role {
        NONE(0),
        ORCHESTRATION(1),
        TASK(2),
        TASK_WITH_BLOCK(3),
        BLOCK(4);

        private static final Role[] BY_NUMBER = values();

        private final int number;

        Role(int number) {
            this.number = number;
        }

        boolean isTask() {
            return this == TASK || this == TASK_WITH_BLOCK;
        }
    }

    private final long most;

    /** The number of the first one. */
    private int first;

    /** The number of the run and the role, for each from the first one on; 0 for an actor that belongs to none. */
    private int[] roles = {};

    /** @param events in the record: there is no actor without one, except for those of other records */
    RunActors(long events) {
        this.most = Math.min(2 * events + FEWEST, Integer.MAX_VALUE / 2);
    }

    private int at(int actor) {
        long place = (long) actor - first;
        return place < 0 || place >= roles.length ? 0 : roles[(int) place];
    }

    Role role(int actor) {
        return Role.BY_NUMBER[at(actor) & ((1 << ROLE_BITS) - 1)];
    }

    /** The number of its run; -1 if it belongs to none. */
    int run(int actor) {
        return (at(actor) >>> ROLE_BITS) - 1;
    }

    /** Returns false if it belongs to a run already, or its number cannot be right. */
    boolean put(int actor, int run, Role role) {
        if (roles.length == 0) {
            first = actor - FEWEST; // another run may be introduced with a smaller number a moment later
        }
        long place = (long) actor - first;
        if (place < 0 || place >= most || at(actor) != 0) {
            return false;
        }
        if (place >= roles.length) {
            roles = Arrays.copyOf(roles, (int) Math.min(most, Math.max(FEWEST, 2 * (place + 1))));
        }
        roles[(int) place] = (run + 1) << ROLE_BITS | role.number;
        return true;
    }

    /** Give an actor that belongs to a run another role. */
    void replace(int actor, Role role) {
        roles[actor - first] = (run(actor) + 1) << ROLE_BITS | role.number;
    }
}
