package org.rankunit.engine.launch.local;

import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.rankunit.engine.protocol.ProcessMark;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The processes that the ranks of one group have started, and the descendants of these.
 *
 * <p>Each rank leads a process group of its own, which its children inherit, so they can be found even after the rank is dead. A
 * child that has left that group is found by the mark in its environment or among its limits, or as a descendant of a living rank.
 * A process to which none of these applies is not found.
 */
final class RankDescendants {

    private static final Duration END_WAIT = Duration.ofSeconds(2);

    private final List<LocalProcess> processes;
    private final Set<Long> ranks;
    private final ProcessMark mark;
    private final Set<ProcessHandle> known = new LinkedHashSet<>();

    RankDescendants(List<LocalProcess> processes, ProcessMark mark) {
        this.processes = processes;
        this.mark = mark;
        this.ranks = processes.stream().map(LocalProcess::pid).collect(Collectors.toSet());
    }

    /** Record the descendants while the ranks are still alive. */
    void look() {
        processes.forEach(process -> process.descendants().forEach(known::add));
    }

    /** End all of them. The ranks must have ended before. */
    void end() {
        long deadline = System.nanoTime() + END_WAIT.toNanos();
        List<ProcessHandle> living = living();
        while (!living.isEmpty()) {
            living.forEach(ProcessHandle::destroyForcibly);
            if (System.nanoTime() - deadline > 0) {
                log().warn("These processes of ended ranks could not be terminated: {}", living);
                return;
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
            living = living();
        }
    }

    private List<ProcessHandle> living() {
        return Stream.of(
                        known.stream(),
                        mark.bearers().stream(),
                        ProcessHandle.allProcesses().filter(this::isInGroupOfRank))
                .flatMap(each -> each)
                .distinct()
                .filter(process -> process.isAlive()
                        && ProcessStat.of(process.pid())
                                .filter(stat -> !stat.hasEnded())
                                .isPresent())
                .toList();
    }

    /**
     * The session must be ours, too: if the pid of an ended rank is reused by an unrelated process, that process is in another
     * session.
     */
    private boolean isInGroupOfRank(ProcessHandle process) {
        if (ranks.contains(process.pid())) {
            return false;
        }
        Optional<ProcessStat> stat = ProcessStat.of(process.pid());
        return stat.isPresent()
                && ranks.contains(stat.get().group())
                && ProcessStat.of(ProcessHandle.current().pid())
                        .filter(own -> own.session() == stat.get().session())
                        .isPresent();
    }

    /** Obtained only when there is something to log: without a provider, SLF4J prints a warning for the first logger. */
    private static Logger log() {
        return LoggerFactory.getLogger(RankDescendants.class);
    }
}
