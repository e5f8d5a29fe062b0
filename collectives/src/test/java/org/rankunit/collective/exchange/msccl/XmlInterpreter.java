package org.rankunit.collective.exchange.msccl;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a program of MSCCL does, from what its runtime does and nothing else: tries all orders in which steps can run, on numbers.
 *
 * <ul>
 *   <li>Threadblocks run their steps one after the other, different ones in any order. A step is one action.
 *   <li>A flag of a threadblock has the number of its last step with {@code hasdep}; a dependency waits until it is as large as {@code
 *       deps}. Waits of nops are those of the next step that is none.
 *   <li>A send puts its message into the queue of its connection, which holds 2 messages with Simple and 8 with the others. A receive takes
 *       the first one.
 *   <li>Steps of one gpu that can run at the same time must not use the same chunk, unless both read.
 * </ul>
 */
final class XmlInterpreter {

    private static final int NONE = -1;

    private final XmlProgram program;
    private final int mostStates;
    private final List<XmlProgram.Block> blocks = new ArrayList<>();
    private final List<List<Action>> actions = new ArrayList<>();
    private final Map<String, Integer> connections = new HashMap<>();
    private final int capacity;
    /** Where each buffer of each gpu begins. */
    private final int[][] begins;

    private int cells;

    private XmlInterpreter(String text, int mostStates) throws Wrong {
        this.program = new XmlProgram(text);
        this.mostStates = mostStates;
        this.capacity = program.proto.equals("Simple") ? 2 : 8;
        this.begins = new int[program.gpus.size()][3];
        for (int gpu = 0; gpu < begins.length; gpu++) {
            layOut(gpu);
        }
        for (XmlProgram.Gpu gpu : program.gpus) {
            for (XmlProgram.Block block : gpu.blocks()) {
                blocks.add(block);
                actions.add(actions(block, gpu));
            }
        }
        requireOneOwner();
    }

    /** A step that is not a nop, with all that it waits for. */
    private record Action(
            XmlProgram.Block block,
            XmlProgram.Step step,
            int number,
            List<int[]> waits,
            int in,
            int out,
            int from,
            int to) {

        private boolean touches(int cell, int count, boolean alsoReads) {
            return (step.writes() && to < cell + count && cell < to + step.cnt())
                    || (alsoReads && reads() && from < cell + count && cell < from + step.cnt());
        }

        private boolean reads() {
            return step.reads();
        }

        boolean disturbs(Action other) {
            if (block.rank() != other.block.rank() || isNothing() || other.isNothing()) {
                return false;
            }
            return (step.writes() && other.touches(to, step.cnt(), true))
                    || (reads() && other.touches(from, step.cnt(), false));
        }

        /** A copy onto itself. */
        boolean isNothing() {
            return step.type().equals("cpy") && from == to;
        }
    }

    static final class Wrong extends Exception {

        private static final long serialVersionUID = 1;

        Wrong(String message) {
            super(message, null, false, false);
        }
    }

    /**
     * @param wrong what goes wrong in some order; null if nothing does
     * @param complete whether all orders were tried
     */
    record Truth(@Nullable String wrong, boolean complete) {

        boolean isKnown() {
            return wrong != null || complete;
        }
    }

    static Truth of(String text, int mostStates) {
        try {
            return new XmlInterpreter(text, mostStates).explore();
        } catch (Wrong e) {
            return new Truth(e.getMessage(), true);
        }
    }

    private int parts() {
        return program.chunks / program.gpus.size();
    }

    private int inputs(int gpu) {
        return switch (program.coll) {
            case "allgather" -> parts();
            case "broadcast" -> gpu == 0 ? program.chunks : 0;
            default -> program.chunks;
        };
    }

    private int outputs(int gpu) {
        return switch (program.coll) {
            case "reducescatter" -> parts();
            case "reduce" -> gpu == 0 ? program.chunks : 0;
            default -> program.chunks;
        };
    }

    /** In place there is an all-reduce only. */
    private void layOut(int gpu) {
        begins[gpu][0] = cells;
        cells += inputs(gpu);
        begins[gpu][1] = program.inPlace ? begins[gpu][0] : cells;
        cells += program.inPlace ? 0 : outputs(gpu);
        begins[gpu][2] = cells;
        cells += program.gpus.get(gpu).scratch();
    }

    private int cell(XmlProgram.Gpu gpu, int rank, String buffer, int offset, int count) throws Wrong {
        int size = switch (buffer) {
            case "i" -> Math.min(gpu.inputs(), inputs(rank));
            case "o" -> Math.min(gpu.outputs(), outputs(rank));
            default -> gpu.scratch();
        };
        if (offset < 0 || offset + count > size) {
            throw new Wrong("outside of " + buffer + " of gpu " + rank);
        }
        return begins[rank]["ios".indexOf(buffer)] + offset;
    }

    private List<Action> actions(XmlProgram.Block block, XmlProgram.Gpu gpu) throws Wrong {
        List<Action> all = new ArrayList<>();
        List<int[]> waits = new ArrayList<>();
        XmlProgram.Step before = null;
        for (int number = 0; number < block.steps().size(); number++) {
            XmlProgram.Step step = block.steps().get(number);
            boolean afterNop = !waits.isEmpty() || (before != null && before.isNop());
            if (step.depid() >= 0) {
                waits.add(new int[] {step.depid(), step.deps()});
            }
            if (!step.isNop()) {
                if (afterNop && step.depid() < 0) {
                    throw new Wrong("MSCCL refuses a nop before a step without a dependency");
                }
                requireSense(block, step, before);
                all.add(action(block, gpu, step, number, List.copyOf(waits)));
                waits.clear();
            }
            before = step;
        }
        return all;
    }

    private void requireSense(XmlProgram.Block block, XmlProgram.Step step, XmlProgram.@Nullable Step before)
            throws Wrong {
        if (step.cnt() < 1 || (step.sends() && block.send() < 0) || (step.receives() && block.recv() < 0)) {
            throw new Wrong("no such step");
        }
        if (step.writes() && step.dstbuf().equals("i") && !program.inPlace) {
            throw new Wrong("writes to the input of the caller");
        }
        // The runtime makes reductions in a row in one go, with the count of the last one.
        if (before != null
                && before.type().equals("re")
                && step.type().equals("re")
                && before.hasdep() == 0
                && step.depid() < 0
                && before.dstbuf().equals(step.dstbuf())
                && before.srcbuf().equals(step.srcbuf())
                && before.dstoff() == step.dstoff()
                && before.cnt() != step.cnt()) {
            throw new Wrong("reductions of different counts in one go");
        }
    }

    private Action action(
            XmlProgram.Block block, XmlProgram.Gpu gpu, XmlProgram.Step step, int number, List<int[]> waits)
            throws Wrong {
        int from = step.reads() ? cell(gpu, block.rank(), step.srcbuf(), step.srcoff(), step.cnt()) : NONE;
        int to = step.writes() ? cell(gpu, block.rank(), step.dstbuf(), step.dstoff(), step.cnt()) : NONE;
        boolean meet = step.reads() && step.writes() && Math.abs(from - to) < step.cnt();
        if (meet && (from != to || step.type().equals("re"))) {
            throw new Wrong("threads read and write chunks that overlap");
        }
        int in = step.receives() ? connection(block.recv(), block.rank(), block.chan()) : NONE;
        int out = step.sends() ? connection(block.rank(), block.send(), block.chan()) : NONE;
        return new Action(block, step, number, waits, in, out, from, to);
    }

    private int connection(int from, int to, int channel) {
        return connections.computeIfAbsent(from + ">" + to + "#" + channel, key -> connections.size());
    }

    private void requireOneOwner() throws Wrong {
        Set<String> owners = new HashSet<>();
        for (int block = 0; block < blocks.size(); block++) {
            Set<String> own = new HashSet<>();
            for (Action action : actions.get(block)) {
                own.add(action.in() + "in");
                own.add(action.out() + "out");
            }
            own.removeAll(Set.of("-1in", "-1out"));
            for (String end : own) {
                if (!owners.add(end)) {
                    throw new Wrong("two threadblocks at one end of a connection");
                }
            }
        }
    }

    /** How far all threadblocks are. */
    private static final class State {

        private final int[] places;
        private final @Nullable Long[] memory;
        private final List<List<Long[]>> queues;

        State(int[] places, @Nullable Long[] memory, List<List<Long[]>> queues) {
            this.places = places;
            this.memory = memory;
            this.queues = queues;
        }

        State copy() {
            List<List<Long[]>> copies = new ArrayList<>();
            queues.forEach(queue -> copies.add(new ArrayList<>(queue)));
            return new State(places.clone(), memory.clone(), copies);
        }
    }

    private static long input(int gpu, int chunk) {
        return (gpu + 1) * 0x9E3779B97F4A7C15L ^ (chunk + 1) * 0xC2B2AE3D27D4EB4FL;
    }

    private State first() {
        Long[] memory = new Long[cells];
        for (int gpu = 0; gpu < begins.length; gpu++) {
            for (int chunk = 0; chunk < inputs(gpu); chunk++) {
                memory[begins[gpu][0] + chunk] = input(gpu, chunk);
            }
        }
        List<List<Long[]>> queues = new ArrayList<>();
        connections.forEach((key, number) -> queues.add(new ArrayList<>()));
        return new State(new int[blocks.size()], memory, queues);
    }

    private Truth explore() throws Wrong {
        Set<String> seen = new HashSet<>();
        Deque<State> open = new ArrayDeque<>();
        open.push(first());
        while (!open.isEmpty() && seen.size() < mostStates) {
            State state = open.pop();
            if (seen.add(new String(state.places, 0, state.places.length))) {
                expand(state, open);
            }
        }
        return new Truth(null, open.isEmpty());
    }

    private void expand(State state, Deque<State> open) throws Wrong {
        List<Integer> ready = new ArrayList<>();
        boolean left = false;
        for (int block = 0; block < blocks.size(); block++) {
            if (state.places[block] < actions.get(block).size()) {
                left = true;
                if (isReady(actions.get(block).get(state.places[block]), state)) {
                    ready.add(block);
                }
            }
        }
        if (ready.isEmpty()) {
            requireEnd(state, left);
        }
        for (int one : ready) {
            for (int other : ready) {
                Action action = actions.get(one).get(state.places[one]);
                Action another = actions.get(other).get(state.places[other]);
                if (one < other && (action.disturbs(another) || another.disturbs(action))) {
                    throw new Wrong("at the same time: " + action.step() + " and " + another.step());
                }
            }
        }
        for (int block : ready) {
            State next = state.copy();
            run(actions.get(block).get(state.places[block]), next);
            next.places[block]++;
            open.push(next);
        }
    }

    private boolean isReady(Action action, State state) {
        for (int[] wait : action.waits()) {
            if (flag(action.block().rank(), wait[0], state) < wait[1]) {
                return false;
            }
        }
        return (action.in() == NONE || !state.queues.get(action.in()).isEmpty())
                && (action.out() == NONE || state.queues.get(action.out()).size() < capacity);
    }

    private int flag(int rank, int id, State state) {
        int flag = NONE;
        for (int block = 0; block < blocks.size(); block++) {
            if (blocks.get(block).rank() == rank && blocks.get(block).id() == id) {
                for (Action done : actions.get(block).subList(0, state.places[block])) {
                    flag = done.step().hasdep() == 1 ? done.number() : flag;
                }
            }
        }
        return flag;
    }

    private static void run(Action action, State state) throws Wrong {
        XmlProgram.Step step = action.step();
        Long[] message =
                action.in() == NONE ? null : state.queues.get(action.in()).remove(0);
        if (message != null && message.length != step.cnt()) {
            throw new Wrong("a message of another size");
        }
        Long[] result = new Long[step.cnt()];
        for (int i = 0; i < result.length && !action.isNothing(); i++) {
            Long value = message != null ? message[i] : state.memory[action.from() + i];
            Long second = !step.reduces()
                    ? Long.valueOf(0)
                    : step.type().equals("re") ? state.memory[action.to() + i] : state.memory[action.from() + i];
            if (value == null || second == null) {
                throw new Wrong("of no value: " + step);
            }
            result[i] = value + second;
        }
        if (step.writes() && !action.isNothing()) {
            System.arraycopy(result, 0, state.memory, action.to(), result.length);
        }
        if (action.out() != NONE) {
            state.queues.get(action.out()).add(result);
        }
    }

    private void requireEnd(State state, boolean left) throws Wrong {
        if (left) {
            throw new Wrong("waits forever");
        }
        if (state.queues.stream().anyMatch(queue -> !queue.isEmpty())) {
            throw new Wrong("a message is left");
        }
        for (int gpu = 0; gpu < begins.length; gpu++) {
            for (int chunk = 0; chunk < outputs(gpu); chunk++) {
                Long found = state.memory[begins[gpu][1] + chunk];
                if (found == null || found != expected(gpu, chunk)) {
                    throw new Wrong("wrong chunk " + chunk + " of gpu " + gpu);
                }
            }
        }
    }

    private long expected(int gpu, int chunk) {
        int n = begins.length;
        return switch (program.coll) {
            case "allgather" -> input(chunk / parts(), chunk % parts());
            case "alltoall" -> input(chunk / parts(), gpu * parts() + chunk % parts());
            case "broadcast" -> input(0, chunk);
            default -> {
                int at = program.coll.equals("reducescatter") ? gpu * parts() + chunk : chunk;
                long sum = 0;
                for (int other = 0; other < n; other++) {
                    sum += input(other, at);
                }
                yield sum;
            }
        };
    }
}
