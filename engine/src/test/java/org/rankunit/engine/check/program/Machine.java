package org.rankunit.engine.check.program;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.rankunit.device.Comparison;
import org.rankunit.engine.check.program.Operation.Kind;

/**
 * The state of a program that runs: how far its actors are, what memory holds, and what each actor has found. A read notes the
 * value that it finds, and a write the one that it replaces.
 */
final class Machine {

    private static final int MOST_BUFFERS = 3;
    private static final int MOST_OBJECTS = 16;

    private final List<List<Operation>> actors;
    private final int[] done;
    private final int[] memory = new int[MOST_BUFFERS * Compiled.PARTS];
    private final int[] cells = new int[MOST_OBJECTS];
    private final boolean[] posted = new boolean[MOST_OBJECTS];
    private final int[] found;

    /** Whether a notify was posted that was still set. */
    private boolean lostPost;

    Machine(List<List<Operation>> actors) {
        this.actors = actors;
        this.done = new int[actors.size()];
        this.found = new int[actors.size()];
    }

    private Machine(Machine other) {
        this(other.actors);
        System.arraycopy(other.done, 0, done, 0, done.length);
        System.arraycopy(other.memory, 0, memory, 0, memory.length);
        System.arraycopy(other.cells, 0, cells, 0, cells.length);
        System.arraycopy(other.posted, 0, posted, 0, posted.length);
        System.arraycopy(other.found, 0, found, 0, found.length);
        lostPost = other.lostPost;
    }

    Machine copy() {
        return new Machine(this);
    }

    boolean isDone() {
        for (int actor = 0; actor < done.length; actor++) {
            if (done[actor] < actors.get(actor).size()) {
                return false;
            }
        }
        return true;
    }

    boolean hasLostPost() {
        return lostPost;
    }

    boolean hasLeftPost() {
        for (boolean isSet : posted) {
            if (isSet) {
                return true;
            }
        }
        return false;
    }

    Operation next(int actor) {
        return actors.get(actor).get(done[actor]);
    }

    /** The actors that can do something now. */
    List<Integer> ready() {
        List<Integer> ready = new ArrayList<>();
        for (int actor = 0; actor < done.length; actor++) {
            if (done[actor] < actors.get(actor).size() && isReady(next(actor))) {
                ready.add(actor);
            }
        }
        return ready;
    }

    private boolean isReady(Operation operation) {
        return operation.after().stream().allMatch(point -> done[point.actor()] >= point.done())
                && switch (operation.kind()) {
                    case WAIT -> holds(operation);
                    case TAKE -> posted[operation.object()];
                    default -> true;
                };
    }

    private boolean holds(Operation wait) {
        int cell = cells[wait.object()];
        Comparison comparison = wait.comparison();
        return switch (comparison) {
            case EQ -> cell == wait.value();
            case NE -> cell != wait.value();
            case GT -> cell > wait.value();
            case GE -> cell >= wait.value();
            case LT -> cell < wait.value();
            case LE -> cell <= wait.value();
        };
    }

    /** Do the next operation of an actor. Returns the value of its cell before. */
    int step(int actor) {
        Operation operation = next(actor);
        int object = operation.object();
        int before = cells[object];
        switch (operation.kind()) {
            case READ, WRITE -> access(actor, operation);
            case SET -> cells[object] = operation.value();
            case ADD -> cells[object] += operation.value();
            case POST -> {
                lostPost |= posted[object];
                posted[object] = true;
            }
            case TAKE -> posted[object] = false;
            case WAIT, NOTHING -> {}
        }
        done[actor]++;
        return before;
    }

    private void access(int actor, Operation operation) {
        for (int part = 0; part < Compiled.PARTS; part++) {
            if ((operation.parts() >> part & 1) != 0) {
                int at = operation.object() * Compiled.PARTS + part;
                found[actor] = 31 * found[actor] + memory[at] + 7;
                if (operation.kind() == Kind.WRITE) {
                    memory[at] = 1 + actor * 1000 + done[actor];
                }
            }
        }
    }

    /** All that a person can see of it in the end. */
    List<Integer> result() {
        List<Integer> result = new ArrayList<>();
        Arrays.stream(found).forEach(result::add);
        Arrays.stream(memory).forEach(result::add);
        return result;
    }

    /** All that decides how it goes on. */
    List<Integer> state() {
        List<Integer> state = result();
        Arrays.stream(done).forEach(state::add);
        Arrays.stream(cells).forEach(state::add);
        for (boolean isSet : posted) {
            state.add(isSet ? 1 : 0);
        }
        return state;
    }
}
