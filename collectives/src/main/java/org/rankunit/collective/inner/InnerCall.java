package org.rankunit.collective.inner;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;
import org.rankunit.collective.CollectiveAlgorithm;
import org.rankunit.collective.Link;
import org.rankunit.collective.LocalNotify;
import org.rankunit.collective.Orchestration;
import org.rankunit.collective.Region;
import org.rankunit.collective.Resources;
import org.rankunit.collective.TaskStream;
import org.rankunit.collective.call.BufferKind;
import org.rankunit.collective.call.CollectiveCall;

/**
 * A call of an algorithm inside another one: among some of the ranks, with regions of their buffers as its inputs and outputs.
 *
 * <p>It queues its tasks on the streams of the rank, and uses its notifies and links. Calls that follow each other on the main stream can
 * share all of these, and scratch memory, because an algorithm has done with them when the main stream goes on.
 *
 * @param call that of the members; its links are those of the whole call
 * @param members the numbers of their ranks in the whole call, in the order of their numbers in this one
 * @param buffers where its buffers lie
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public record InnerCall(CollectiveAlgorithm algorithm, CollectiveCall call, List<Integer> members, Buffers buffers) {

    /** Where the buffers of an inner call lie in those of the whole call. */
    @FunctionalInterface
    public interface Buffers {

        /**
         * Get the region that a member has as a buffer. For {@link BufferKind#INPUT}, {@link BufferKind#OUTPUT} and {@link
         * BufferKind#SCRATCH}, it has the size that the inner call has for it.
         *
         * @param whole the orchestration of the whole call
         * @param member its number among the members
         */
        Region of(Orchestration whole, BufferKind kind, int member);
    }

    public InnerCall {
        members = List.copyOf(members);
        if (call.ranks() != members.size()) {
            throw new IllegalArgumentException(members.size() + " members for " + call);
        }
    }

    /** Say why the algorithm cannot make this call. */
    public Optional<String> unsupportedReason() {
        return algorithm.unsupportedReason(call);
    }

    /** Compute what a rank of the whole call needs, with links to ranks of the whole call; nothing if it is no member. */
    public Resources resources(int rank) {
        int member = members.indexOf(rank);
        if (member < 0) {
            return Resources.onMainStream(List.of());
        }
        Resources own = algorithm.resources(call, member);
        return new Resources(
                own.scratchBytes(),
                own.subStreams(),
                own.notifies(),
                own.links().stream().map(members::get).toList());
    }

    /** Queue the tasks of a rank of the whole call; none if it is no member. */
    public void orchestrate(Orchestration whole) {
        int member = members.indexOf(whole.rank());
        if (member >= 0) {
            algorithm.orchestrate(new Among(whole, member));
        }
    }

    /** Shows ranks by their numbers among the members. */
    private final class Among implements Orchestration {

        private final Orchestration whole;
        private final int member;

        Among(Orchestration whole, int member) {
            this.whole = whole;
            this.member = member;
        }

        @Override
        public CollectiveCall call() {
            return call;
        }

        @Override
        public int rank() {
            return member;
        }

        @Override
        public TaskStream main() {
            return new InnerStream(whole, whole.main(), members);
        }

        @Override
        public TaskStream sub(int number) {
            return new InnerStream(whole, whole.sub(number), members);
        }

        @Override
        public LocalNotify notify(int number) {
            return whole.notify(number);
        }

        @Override
        public Link link(int peer, int number) {
            Link link = whole.link(members.get(peer), number);
            return new Link(member, peer, number, link.medium(), link.memory());
        }

        @Override
        public void setLine(String line) {
            whole.setLine(line);
        }

        @Override
        public Region buffer(BufferKind kind, int ofMember) {
            return buffers.of(whole, kind, ofMember);
        }
    }
}
