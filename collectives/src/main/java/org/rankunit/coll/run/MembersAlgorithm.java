package org.rankunit.coll.run;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;
import org.rankunit.coll.CollectiveAlgorithm;
import org.rankunit.coll.Link;
import org.rankunit.coll.LocalNotify;
import org.rankunit.coll.Orchestration;
import org.rankunit.coll.Region;
import org.rankunit.coll.Resources;
import org.rankunit.coll.TaskStream;
import org.rankunit.coll.call.BufferKind;
import org.rankunit.coll.call.Collective;
import org.rankunit.coll.call.CollectiveCall;

/**
 * Another algorithm among some of the ranks; the others have nothing to do.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public final class MembersAlgorithm implements CollectiveAlgorithm {

    private final CollectiveAlgorithm inner;

    /** The call of the members. */
    private final CollectiveCall call;

    private final List<Integer> members;

    /**
     * @param inner makes the call of the members
     * @param call that of the members
     * @param members the numbers of their ranks in the call of all ranks, in the order of their numbers among the members
     */
    public MembersAlgorithm(CollectiveAlgorithm inner, CollectiveCall call, List<Integer> members) {
        this.inner = inner;
        this.call = call;
        this.members = List.copyOf(members);
    }

    CollectiveAlgorithm inner() {
        return inner;
    }

    CollectiveCall call() {
        return call;
    }

    List<Integer> members() {
        return members;
    }

    @Override
    public String name() {
        return inner.name() + members;
    }

    @Override
    public Collective collective() {
        return inner.collective();
    }

    @Override
    public Optional<String> whyNot(CollectiveCall whole) {
        return inner.whyNot(call);
    }

    @Override
    public Resources resources(CollectiveCall whole, int rank) {
        int member = members.indexOf(rank);
        if (member < 0) {
            return Resources.onMainStream(List.of());
        }
        Resources own = inner.resources(call, member);
        return new Resources(
                own.scratchBytes(),
                own.subStreams(),
                own.notifies(),
                own.links().stream().map(members::get).toList());
    }

    @Override
    public void orchestrate(Orchestration rank) {
        int member = members.indexOf(rank.rank());
        if (member >= 0) {
            inner.orchestrate(new Among(rank, member));
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
            return new MembersStream(whole, whole.main(), members);
        }

        @Override
        public TaskStream sub(int number) {
            return new MembersStream(whole, whole.sub(number), members);
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

        /** Of the whole call, which has parts for all ranks, so that those of the members are at its beginning. */
        @Override
        public Region buffer(BufferKind kind, int rank) {
            Region all = whole.buffer(kind, members.get(rank));
            return switch (kind) {
                case INPUT -> all.part(0, call.inputBytes(rank));
                case OUTPUT -> all.part(0, call.outputBytes(rank));
                default -> all;
            };
        }
    }
}
