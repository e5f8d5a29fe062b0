package org.rankunit.collective.truth;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.rankunit.collective.schedule.Schedule;

/**
 * What is true of a schedule: tries all orders in which its tasks can run when the same call is made twice, on data, and says what goes wrong in
 * one of them. Written from what tasks mean, and shares nothing with the verifier.
 *
 * <ul>
 *   <li>The tasks of a stream run one after the other, those of different streams in any order. A wait takes what was posted.
 *   <li>A write to another server is on its way when its stream goes on. What a rank writes and posts over one link arrives in order, and
 *       the source is read when it arrives.
 *   <li>A call of a rank is begun by its caller, on the main stream, who makes the input ready and may use the output and the
 *       buffers of the communicator until then and after the end. At the end the output must hold what the collective
 *       demands, the input what it did, and nothing of the rank may be left to do.
 *   <li>Two tasks that can run at the same time must not use the same elements, unless both read, or both reduce elements of another
 *       rank, each of them at once.
 *   <li>A post must find its notify reset, and no two streams may wait for the same one.
 * </ul>
 */
final class Interleavings {

    private static final int CALLS = 2;

    private final Program program;
    private final int mostStates;
    private final Set<ByteBuffer> seen = new HashSet<>();
    private boolean sameBits = true;

    private Interleavings(Program program, int mostStates) {
        this.program = program;
        this.mostStates = mostStates;
    }

    /**
     * The truth about a schedule.
     *
     * @param wrong what goes wrong in some order; null if nothing does
     * @param sameBits whether no order of two reductions is open; means nothing if something is wrong
     * @param states that were looked at
     * @param complete whether all were; if not, and nothing is known to go wrong, then nothing is known
     */
    record Truth(@Nullable String wrong, boolean sameBits, int states, boolean complete) {

        boolean isKnown() {
            return wrong != null || complete;
        }
    }

    static Truth of(Schedule schedule, int mostStates) {
        try {
            return new Interleavings(new Program(schedule), mostStates).explore();
        } catch (Wrong e) {
            return new Truth(e.getMessage(), true, 0, true);
        }
    }

    private Truth explore() {
        Deque<State> open = new ArrayDeque<>();
        try {
            open.push(new State(program));
            while (!open.isEmpty() && seen.size() < mostStates) {
                State state = open.pop();
                if (seen.add(state.key())) {
                    expand(state, open);
                }
            }
        } catch (Wrong e) {
            return new Truth(e.getMessage(), sameBits, seen.size(), false);
        }
        return new Truth(null, sameBits, seen.size(), open.isEmpty());
    }

    private void expand(State state, Deque<State> open) throws Wrong {
        List<Step> ready = state.ready();
        if (ready.isEmpty()) {
            state.checkEnded();
        }
        for (int i = 0; i < ready.size(); i++) {
            for (int j = 0; j < i; j++) {
                meet(ready.get(i), ready.get(j));
            }
        }
        for (Step step : ready) {
            State next = state.copy();
            next.run(step);
            open.push(next);
        }
    }

    /** Two tasks run at the same time. */
    private void meet(Step one, Step other) throws Wrong {
        if (one.atOnce() && other.atOnce() && one.writes(other)) {
            sameBits = false;
        }
        if (one.disturbs(other) || other.disturbs(one)) {
            throw new Wrong(one + " and " + other + " at the same time");
        }
    }

    /** Something goes wrong. */
    static final class Wrong extends Exception {

        private static final long serialVersionUID = 1;

        Wrong(String message) {
            super(message, null, false, false);
        }
    }

    /** How far all streams are, and what is in memory. */
    private static final class State {

        private final Program program;
        private final int[] places;
        /** What is on its way over each wire, as numbers of steps, the first one first. */
        private final int[][] wires;

        private final boolean[] set;
        private final int[][] memory;

        State(Program program) {
            this(
                    program,
                    new int[program.streams().size()],
                    new int[program.wires()][0],
                    new boolean[program.notifies()],
                    new int[program.cells()][]);
        }

        private State(Program program, int[] places, int[][] wires, boolean[] set, int[][] memory) {
            this.program = program;
            this.places = places;
            this.wires = wires;
            this.set = set;
            this.memory = memory;
        }

        State copy() {
            return new State(program, places.clone(), wires.clone(), set.clone(), memory.clone());
        }

        /** Data is known by how far all streams are, as long as no two tasks disturb each other. */
        ByteBuffer key() {
            int length = places.length + wires.length;
            for (int[] wire : wires) {
                length += wire.length;
            }
            ByteBuffer key = ByteBuffer.allocate(2 * length);
            for (int place : places) {
                key.putShort((short) place);
            }
            for (int[] wire : wires) {
                key.putShort((short) wire.length);
                for (int step : wire) {
                    key.putShort((short) step);
                }
            }
            return key.flip();
        }

        private @Nullable Step next(int stream) {
            List<Step> steps = program.streams().get(stream);
            return places[stream] == CALLS * steps.size() ? null : steps.get(places[stream] % steps.size());
        }

        private boolean isDue(@Nullable Step step) {
            return step != null && (step.kind() != Step.Kind.WAIT || set[step.flag()]);
        }

        private void post(Step step) throws Wrong {
            if (set[step.flag()]) {
                throw new Wrong("set already: " + step);
            }
            set[step.flag()] = true;
        }

        private void send(Step step) {
            int[] queue = Arrays.copyOf(wires[step.wire()], wires[step.wire()].length + 1);
            queue[queue.length - 1] = step.number();
            wires[step.wire()] = queue;
        }

        private Step arrive(int wire) {
            Step first = program.step(wires[wire][0]);
            wires[wire] = Arrays.copyOfRange(wires[wire], 1, wires[wire].length);
            return first;
        }

        /** Everything that can happen next. A write over a wire is ready twice: to be sent, and to arrive. */
        List<Step> ready() throws Wrong {
            List<Step> ready = new ArrayList<>();
            Set<Integer> awaited = new HashSet<>();
            for (int stream = 0; stream < places.length; stream++) {
                Step step = next(stream);
                if (step != null && step.kind() == Step.Kind.WAIT && !awaited.add(step.flag())) {
                    throw new Wrong("two streams wait: " + step);
                }
                if (step != null && isDue(step)) {
                    ready.add(step.wire() >= 0 ? step.sent() : step);
                }
            }
            for (int[] wire : wires) {
                if (wire.length > 0) {
                    ready.add(program.step(wire[0]));
                }
            }
            return ready;
        }

        void run(Step step) throws Wrong {
            switch (step.kind()) {
                case POST -> {
                    if (step.wire() >= 0) {
                        arrive(step.wire());
                    } else {
                        places[step.stream()]++;
                    }
                    post(step);
                }
                case SEND -> {
                    places[step.stream()]++;
                    send(step);
                }
                case WAIT -> {
                    places[step.stream()]++;
                    set[step.flag()] = false;
                }
                case CALLER -> {
                    checkCall(
                            step,
                            places[step.stream()]
                                    / program.streams().get(step.stream()).size());
                    places[step.stream()]++;
                }
                case MOVE -> {
                    if (step.wire() >= 0) {
                        arrive(step.wire());
                    } else {
                        places[step.stream()]++;
                    }
                    move(step);
                }
            }
        }

        private void move(Step step) throws Wrong {
            for (int i = 0; i < step.count(); i++) {
                int[] source = memory[step.from() + i];
                int[] target = memory[step.to() + i];
                if (source == null || (step.reduces() && target == null)) {
                    throw new Wrong("of no value: " + step);
                }
                memory[step.to() + i] = step.reduces() ? Program.together(source, target) : source;
            }
        }

        /** The caller of a rank takes the result of the call before, and makes the next one ready. */
        private void checkCall(Step caller, int call) throws Wrong {
            if (call > 0) {
                checkEnded(caller.rank(), call);
                program.checkResult(caller.rank(), call - 1, memory);
            }
            for (int cell = caller.to(); cell < caller.to() + caller.count(); cell++) {
                memory[cell] = null;
            }
            program.writeInput(caller.rank(), call, memory);
        }

        private void checkEnded(int rank, int call) throws Wrong {
            for (int stream = 0; stream < places.length; stream++) {
                List<Step> steps = program.streams().get(stream);
                if (!steps.isEmpty() && program.rankOf(stream) == rank && places[stream] < call * steps.size()) {
                    throw new Wrong(
                            "not ended when rank " + rank + " has: " + steps.get(places[stream] % steps.size()));
                }
            }
            for (int[] wire : wires) {
                for (int number : wire) {
                    if (program.step(number).rank() == rank
                            && program.step(number).kind() == Step.Kind.MOVE) {
                        throw new Wrong("not arrived when rank " + rank + " has ended: " + program.step(number));
                    }
                }
            }
        }

        /** Nothing can go on. */
        void checkEnded() throws Wrong {
            for (int stream = 0; stream < places.length; stream++) {
                Step step = next(stream);
                if (step != null) {
                    throw new Wrong("waits forever: " + step);
                }
            }
            for (int notify = 0; notify < set.length; notify++) {
                if (set[notify]) {
                    throw new Wrong("a notify is left set");
                }
            }
            for (int rank = 0; rank < program.ranks(); rank++) {
                program.checkResult(rank, CALLS - 1, memory);
            }
        }
    }
}
