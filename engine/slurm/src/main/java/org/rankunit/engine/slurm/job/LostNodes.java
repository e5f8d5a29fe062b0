package org.rankunit.engine.slurm.job;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The nodes of a job on which nothing more is started, because they failed or cannot be reached. Thread-safe. */
public final class LostNodes {

    private final Map<String, String> reasons = new ConcurrentHashMap<>();

    /** Start nothing more on a node; only the first reason is kept. Returns whether it is the first. */
    public boolean add(String node, String reason) {
        return reasons.putIfAbsent(node, reason) == null;
    }

    public Set<String> names() {
        return Set.copyOf(reasons.keySet());
    }

    /** Why a node is lost; empty if it is not. */
    public Optional<String> reason(String node) {
        return Optional.ofNullable(reasons.get(node));
    }
}
