package org.rankunit.engine.check.program;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.rankunit.device.Comparison;

/**
 * Makes random programs. Their actors access buffers in turn, and meet before in one of the ways that there are, so that most
 * of them are right. Three quarters of them are then changed in one to three places.
 */
public final class Generator {

    private static final int BUFFERS = 3;

    private final Random random;
    private final Program program;
    private int cells;
    private int notifies;
    private int barriers;
    private final Set<Integer> started = new HashSet<>();
    private final Set<Integer> joined = new HashSet<>();

    /** By buffer: who has accessed it since it was written, the writer first. */
    private final Map<Integer, List<Integer>> users = new HashMap<>();

    /** Counters that an actor raises for another one: their cell, and the value. */
    private final Map<List<Integer>, int[]> counters = new HashMap<>();

    private Generator(Random random) {
        this.random = random;
        int ranks = 2 + random.nextInt(2);
        List<Integer> streams = new ArrayList<>();
        int count = 1 + random.nextInt(3);
        for (int i = 0; i < count; i++) {
            streams.add(random.nextInt(ranks));
        }
        List<Integer> threads = new ArrayList<>();
        for (int i = random.nextInt(3); i > 0; i--) {
            threads.add(random.nextInt(ranks));
        }
        List<List<Step>> steps = new ArrayList<>();
        for (int i = 0; i < ranks + count + threads.size(); i++) {
            steps.add(new ArrayList<>());
        }
        this.program = new Program(ranks, streams, threads, steps);
    }

    /** Random numbers for a program and its run. */
    public static Random random(long seed) {
        return new Random(seed * 0x9e37_79b9_7f4a_7c15L); // the first numbers of near seeds are alike
    }

    /** Make a program; the same one for the same random numbers. */
    public static Program program(Random random) {
        Generator generator = new Generator(random);
        int accesses = 2 + random.nextInt(5);
        for (int i = 0; i < accesses; i++) {
            generator.addAccess();
        }
        Program program = generator.program;
        for (int changes = random.nextInt(4); changes > 0; changes--) {
            program = Mutation.of(program, random);
        }
        return program;
    }

    private int anyActor() {
        int actor = random.nextInt(program.steps().size());
        return joined.contains(actor) ? program.rankOf(actor) : actor;
    }

    private void addAccess() {
        int actor = anyActor();
        int buffer = random.nextInt(BUFFERS);
        boolean write = random.nextBoolean();
        List<Integer> before = users.computeIfAbsent(buffer, each -> new ArrayList<>());
        List<Integer> sources =
                before.stream().limit(write ? before.size() : 1).distinct().toList();
        if (!program.isStream(actor) && random.nextInt(4) == 0) {
            meet(sources, actor);
            addGraph(actor, buffer, write);
        } else if (program.isStream(actor) && random.nextInt(3) == 0) {
            addKernel(actor, buffer, write, sources);
        } else {
            meet(sources, actor);
            put(actor, new Step.Access(buffer, write, new Step.Id()));
        }
        if (write) {
            before.clear();
        } else if (before.isEmpty()) {
            before.add(actor);
        }
        before.add(actor);
    }

    private void put(int actor, Step step) {
        if (program.isStream(actor)) {
            program.steps().get(program.rankOf(actor)).add(new Step.Enqueue(actor));
        } else if (program.isThread(actor)) {
            start(actor);
        }
        program.steps().get(actor).add(step);
    }

    private void start(int thread) {
        if (started.add(thread)) {
            program.steps().get(program.rankOf(thread)).add(new Step.Start(thread));
            program.steps().get(thread).add(new Step.Begin(thread));
        }
    }

    private void addGraph(int host, int buffer, boolean write) {
        List<Step.Task> tasks = new ArrayList<>();
        int count = 1 + random.nextInt(3);
        for (int i = 0; i < count; i++) {
            List<Integer> after = new ArrayList<>();
            for (int earlier = 0; earlier < i; earlier++) {
                if (random.nextInt(4) > 0) {
                    after.add(earlier);
                }
            }
            List<Step> inside = new ArrayList<>();
            if (i > 0 && random.nextInt(3) == 0) {
                int cell = anyCell();
                tasks.get(i - 1).inside().add(new Step.Signal(cell, random.nextBoolean(), 1));
                inside.add(new Step.Wait(cell, Comparison.GE, 1));
            }
            tasks.add(new Step.Task(buffer, write, after, inside));
        }
        put(host, new Step.Graph(tasks));
    }

    /** Mostly a new one. */
    private int anyCell() {
        return cells > 0 && random.nextInt(8) == 0 ? random.nextInt(cells) : cells++;
    }

    private void addKernel(int actor, int buffer, boolean write, List<Integer> sources) {
        int count = 1 + random.nextInt(2);
        List<List<Step>> blocks = new ArrayList<>();
        for (int block = 0; block < count; block++) {
            blocks.add(new ArrayList<>());
        }
        for (int source : sources) {
            if (source != actor && random.nextBoolean()) {
                int cell = anyCell();
                put(source, new Step.Signal(cell, random.nextBoolean(), 1));
                blocks.forEach(block -> block.add(new Step.Wait(cell, Comparison.GE, 1)));
            } else {
                meet(List.of(source), actor);
            }
        }
        if (count == 2 && random.nextBoolean()) {
            int cell = anyCell();
            blocks.get(0).add(new Step.Signal(cell, false, 1));
            blocks.get(1).add(new Step.Wait(cell, Comparison.EQ, 1));
        }
        int other = anyActor();
        boolean tells = other != actor && random.nextBoolean();
        int cell = tells ? anyCell() : 0;
        if (tells) {
            blocks.forEach(block -> block.add(new Step.Signal(cell, true, 1)));
        }
        put(actor, new Step.Kernel(write ? List.of() : List.of(buffer), write ? List.of(buffer) : List.of(), blocks));
        if (tells) {
            put(other, new Step.Wait(cell, Comparison.GE, count));
            put(other, new Step.Access(buffer, write && random.nextInt(3) == 0, new Step.Id()));
        }
    }

    /** Make sure that what the sources have done happens before what an actor does next. */
    private void meet(List<Integer> sources, int actor) {
        List<Integer> others =
                sources.stream().filter(source -> source != actor).toList();
        if (others.size() > 1 && random.nextBoolean()) {
            int cell = anyCell();
            others.forEach(source -> put(source, new Step.Signal(cell, true, 1)));
            put(actor, new Step.Wait(cell, anyOf(Comparison.GE, Comparison.EQ), others.size()));
            return;
        }
        others.forEach(source -> meet(source, actor));
    }

    private void meet(int source, int actor) {
        boolean isOneRank = program.rankOf(source) == program.rankOf(actor);
        boolean areHosts = program.isHost(source) && program.isHost(actor);
        int way = random.nextInt(5);
        if (isOneRank && !program.isStream(source) && !program.isStream(actor)) {
            meetThreads(source, actor, way);
        } else if (isOneRank && program.isHost(source) && way < 3) {
            return; // the host puts the work on the stream later
        } else if (isOneRank && program.isHost(actor) && way < 3) {
            program.steps().get(actor).add(new Step.Synchronize(source));
        } else if (isOneRank && program.isStream(source) && program.isStream(actor) && way < 2) {
            Step.RecordEvent recorded = new Step.RecordEvent(new Step.Id());
            put(source, recorded);
            put(actor, new Step.WaitEvent(recorded));
        } else if (areHosts && way < 2) {
            Step.Barrier barrier = new Step.Barrier(++barriers);
            program.steps().subList(0, program.ranks()).forEach(host -> host.add(barrier));
        } else if (way < 4) {
            meetByCell(source, actor);
        } else {
            int notify = notifies > 0 && random.nextInt(4) == 0 ? random.nextInt(notifies) : notifies++;
            put(source, new Step.Post(notify));
            put(actor, new Step.Take(notify));
        }
    }

    private void meetThreads(int source, int actor, int way) {
        if (program.isHost(source) && !started.contains(actor)) {
            start(actor);
        } else if (program.isHost(actor) && way < 2) {
            put(actor, new Step.Join(source));
            joined.add(source);
        } else {
            Step.Release release = new Step.Release(new Step.Id());
            put(source, release);
            put(actor, new Step.Acquire(release));
        }
    }

    private void meetByCell(int source, int actor) {
        if (random.nextBoolean()) {
            int cell = anyCell();
            boolean add = random.nextBoolean();
            put(source, new Step.Signal(cell, add, 1));
            Comparison comparison = anyOf(Comparison.GE, Comparison.EQ, Comparison.NE, Comparison.GT);
            boolean isZero = comparison == Comparison.NE || comparison == Comparison.GT;
            put(actor, new Step.Wait(cell, comparison, isZero ? 0 : 1));
            return;
        }
        int[] counter = counters.computeIfAbsent(List.of(source, actor), each -> new int[] {cells++, 0});
        counter[1]++;
        boolean add = random.nextBoolean();
        put(source, add ? new Step.Signal(counter[0], true, 1) : new Step.Signal(counter[0], false, counter[1]));
        put(actor, new Step.Wait(counter[0], Comparison.GE, counter[1]));
    }

    private Comparison anyOf(Comparison... comparisons) {
        return comparisons[random.nextInt(comparisons.length)];
    }
}
