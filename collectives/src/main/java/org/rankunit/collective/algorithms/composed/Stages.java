package org.rankunit.collective.algorithms.composed;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntToLongFunction;
import java.util.function.ToIntFunction;
import org.rankunit.collective.CollectiveAlgorithm;
import org.rankunit.collective.Orchestration;
import org.rankunit.collective.Region;
import org.rankunit.collective.Resources;
import org.rankunit.collective.call.BufferKind;
import org.rankunit.collective.call.CollectiveCall;
import org.rankunit.collective.inner.InnerCall;

/** What a rank does, one inner call after the other. All of them use the same streams, notifies, links and scratch memory. */
final class Stages {

    /** Where a rank of the whole call has the input, or the output, of an inner call. */
    @FunctionalInterface
    interface Place {
        Region of(Orchestration whole, int rank);
    }

    private final List<InnerCall> calls = new ArrayList<>();
    private final IntToLongFunction kept;

    /** @param kept bytes of scratch memory of each rank that outlive a call, before that of the calls */
    Stages(IntToLongFunction kept) {
        this.kept = kept;
    }

    /** Add a call of some ranks. */
    void add(CollectiveAlgorithm algorithm, CollectiveCall call, List<Integer> members, Place input, Place output) {
        calls.add(new InnerCall(algorithm, call, members, (whole, kind, member) -> {
            int rank = members.get(member);
            return switch (kind) {
                case INPUT -> input.of(whole, rank).part(0, call.inputBytes(member));
                case OUTPUT -> output.of(whole, rank).part(0, call.outputBytes(member));
                case SCRATCH ->
                    whole.buffer(kind, rank)
                            .part(
                                    kept.applyAsLong(rank),
                                    algorithm.resources(call, member).scratchBytes());
                default -> whole.buffer(kind, rank);
            };
        }));
    }

    Optional<String> unsupportedReason() {
        return calls.stream().flatMap(each -> each.unsupportedReason().stream()).findFirst();
    }

    Resources resources(int rank) {
        List<Resources> all = calls.stream().map(call -> call.resources(rank)).toList();
        long scratch = all.stream().mapToLong(Resources::scratchBytes).max().orElse(0);
        Map<Integer, Long> links = new LinkedHashMap<>();
        all.forEach(each -> each.links().stream()
                .collect(groupingBy(peer -> peer, LinkedHashMap::new, counting()))
                .forEach((peer, number) -> links.merge(peer, number, Math::max)));
        return new Resources(
                kept.applyAsLong(rank) + scratch,
                largest(all, Resources::subStreams),
                largest(all, Resources::notifies),
                links.entrySet().stream()
                        .flatMap(each -> Collections.nCopies(each.getValue().intValue(), each.getKey()).stream())
                        .toList());
    }

    private static int largest(List<Resources> all, ToIntFunction<Resources> what) {
        return all.stream().mapToInt(what).max().orElse(0);
    }

    void orchestrate(Orchestration whole) {
        calls.forEach(call -> call.orchestrate(whole));
    }

    /** All of a buffer as the input or output of a call. */
    static Place all(BufferKind kind) {
        return (whole, rank) -> whole.buffer(kind, rank);
    }
}
