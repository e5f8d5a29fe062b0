package org.rankunit.collective.run;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;
import org.rankunit.collective.CollectiveAlgorithm;
import org.rankunit.collective.Orchestration;
import org.rankunit.collective.Region;
import org.rankunit.collective.Resources;
import org.rankunit.collective.call.BufferKind;
import org.rankunit.collective.call.Collective;
import org.rankunit.collective.call.CollectiveCall;
import org.rankunit.collective.inner.InnerCall;

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
    public Optional<String> unsupportedReason(CollectiveCall whole) {
        return ofMembers().unsupportedReason();
    }

    @Override
    public Resources resources(CollectiveCall whole, int rank) {
        return ofMembers().resources(rank);
    }

    @Override
    public void orchestrate(Orchestration rank) {
        ofMembers().orchestrate(rank);
    }

    private InnerCall ofMembers() {
        return new InnerCall(inner, call, members, this::buffer);
    }

    /** Of the whole call, which has parts for all ranks, so that those of the members are at its beginning. */
    private Region buffer(Orchestration whole, BufferKind kind, int member) {
        Region all = whole.buffer(kind, members.get(member));
        return switch (kind) {
            case INPUT -> all.part(0, call.inputBytes(member));
            case OUTPUT -> all.part(0, call.outputBytes(member));
            default -> all;
        };
    }
}
