package org.rankunit.engine.check.program;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.rankunit.engine.check.program.Operation.Kind;

/** Runs a program in all orders in which its actors can take turns. Knows nothing of clocks or of what happens before what. */
public final class Explorer {

    private static final int MOST_STATES = 60_000;

    private Explorer() {}

    /**
     * Whether a program is wrong: its runs can give different results, or not all of them end, or a post can be lost or left.
     * Empty if it has too many states or kernels.
     */
    public static Optional<Boolean> isWrong(Program program) {
        Set<List<Integer>> results = new HashSet<>();
        return finds(program, machine -> {
            if (machine.isDone()) {
                results.add(machine.result());
            }
            return isStuck(machine)
                    || machine.hasLostPost()
                    || (machine.isDone() && machine.hasLeftPost())
                    || results.size() > 1;
        });
    }

    /** Whether some runs of a program do not end. Empty as above. */
    public static Optional<Boolean> canHang(Program program) {
        return finds(program, Explorer::isStuck);
    }

    private static boolean isStuck(Machine machine) {
        return !machine.isDone() && machine.ready().isEmpty();
    }

    /** Whether a run comes to such a state. */
    private static Optional<Boolean> finds(Program program, Predicate<Machine> isIt) {
        Set<List<Integer>> seen = new HashSet<>();
        Deque<Machine> open = new ArrayDeque<>();
        Compiled compiled = new Compiled(program);
        if (!compiled.isWhole()) {
            return Optional.empty();
        }
        open.push(new Machine(compiled.actors()));
        while (!open.isEmpty()) {
            Machine machine = open.pop();
            List<Integer> ready = settle(machine);
            if (isIt.test(machine)) {
                return Optional.of(true);
            }
            if (!machine.isDone() && seen.add(machine.state())) {
                for (int actor : ready) {
                    Machine next = machine.copy();
                    next.step(actor);
                    open.push(next);
                }
            }
            if (seen.size() > MOST_STATES) {
                return Optional.empty();
            }
        }
        return Optional.of(false);
    }

    /** Do what nobody can see and nothing can undo. Returns who can go on. */
    private static List<Integer> settle(Machine machine) {
        for (; ; ) {
            List<Integer> ready = machine.ready();
            Optional<Integer> silent = ready.stream()
                    .filter(actor -> machine.next(actor).kind() == Kind.NOTHING)
                    .findFirst();
            if (silent.isEmpty()) {
                return ready;
            }
            machine.step(silent.get());
        }
    }
}
