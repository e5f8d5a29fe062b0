package org.rankunit.distributed;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.util.Optional;
import java.util.function.Function;
import org.apiguardian.api.API;
import org.rankunit.RankContext;
import org.rankunit.collective.call.CollectiveCall;
import org.rankunit.collective.select.HcclAlgo;
import org.rankunit.collective.select.Interconnect;
import org.rankunit.collective.select.Rules;
import org.rankunit.collective.select.Selection;
import org.rankunit.distributed.device.HcclCollectives;
import org.rankunit.distributed.device.PlannedCollectives;
import org.rankunit.distributed.pe.config.CclConfig;
import org.rankunit.distributed.pe.config.MachineConfig;
import org.rankunit.distributed.pe.machine.WorldPlacement;
import org.rankunit.distributed.pe.run.PeMachine;

/**
 * Makes process groups.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public final class Distributed {

    /** The backend whose members are processing elements of a modelled machine. */
    public static final String AHBM = "ahbm";

    /** The backend whose members are devices, with algorithms of RankUnit. */
    public static final String RANKUNIT = "rankunit";

    /** The backend whose members are devices, with the collectives of the vendor's library HCCL. */
    public static final String HCCL = "hccl";

    private Distributed() {}

    /**
     * Make a group of processing elements, all of which are lanes of this process: {@code initProcessGroup(backend = "ahbm")}. Queues
     * are set up here; calls of the group only launch kernels.
     *
     * @param algorithm the name of one in {@code ccl}; the size of the world is its {@code world_size}, or all of the machine
     * @throws IllegalArgumentException if there is no such algorithm, or if it or the machine cannot have a world of this size
     */
    public static ProcessGroup initProcessGroup(MachineConfig machine, CclConfig ccl, String algorithm) {
        CclConfig.Entry entry = ccl.named(algorithm);
        return initProcessGroup(
                machine, entry, entry.worldSize().orElse(machine.shape().pes()));
    }

    /**
     * Make a group of another size than the one that is configured.
     *
     * @param worldSize the number of processing elements
     */
    public static ProcessGroup initProcessGroup(MachineConfig machine, CclConfig.Entry entry, int worldSize) {
        WorldPlacement placement = WorldPlacement.of(machine.shape(), worldSize);
        PeMachine lanes = PeMachine.inOneProcess(placement, machine.costs(), entry.queues());
        try {
            return new AhbmProcessGroup(entry, lanes);
        } catch (RuntimeException e) {
            lanes.close();
            throw e;
        }
    }

    /**
     * Make a group of processing elements of several SIPs, each of which is the device of one rank of a device test. All ranks call
     * this with the same arguments, in the same order as other calls that wait for all ranks.
     *
     * @param rank of the test; its number is the number of the SIP
     * @throws IllegalArgumentException if the world does not have as many SIPs as the test has ranks
     */
    public static ProcessGroup initProcessGroup(
            RankContext rank, MachineConfig machine, CclConfig.Entry entry, int worldSize) {
        WorldPlacement placement = WorldPlacement.of(machine.shape(), worldSize);
        int sips = 1 + placement.place(worldSize - 1).sip();
        if (sips != rank.worldSize()) {
            throw new IllegalArgumentException("a world of " + worldSize + " PEs is on " + sips + " SIPs of "
                    + machine.shape().pesPerSip() + " PEs, but the test has " + rank.worldSize() + " ranks");
        }
        if (sips == 1) {
            return initProcessGroup(machine, entry, worldSize);
        }
        PeMachine lanes =
                PeMachine.ofOneSip(placement, machine.costs(), entry.queues(), new WindowExchange(rank.communicator()));
        try {
            return new AhbmProcessGroup(entry, lanes);
        } catch (RuntimeException e) {
            lanes.close();
            throw e;
        }
    }

    /**
     * Make a group of the devices of all ranks of a device test: with the backend {@link #HCCL} on hardware, and {@link #RANKUNIT} on
     * simulators.
     *
     * @see #initProcessGroup(RankContext, String)
     */
    public static ProcessGroup initProcessGroup(RankContext rank) {
        return initProcessGroup(rank, rank.device().isSimulated() ? RANKUNIT : HCCL);
    }

    /**
     * Make a group of the devices of all ranks of a device test. All ranks call this, in the same order as other calls that wait for all
     * ranks. While calls of the group may be going on, a rank makes no other calls of its communicator.
     *
     * <p>With {@link #RANKUNIT}, algorithms are chosen by {@link Rules} for a mesh; {@code HCCL_ALGO} counts as it does for HCCL. With
     * {@link #HCCL}, which simulators do not have, there are no groups of some members, and calls are those that HCCL has.
     *
     * @param backend {@link #RANKUNIT} or {@link #HCCL}
     * @throws org.rankunit.comm.CommException with {@link org.rankunit.comm.CommError#NOT_SUPPORTED} if the devices do not have it
     */
    public static ProcessGroup initProcessGroup(RankContext rank, String backend) {
        return switch (backend) {
            case RANKUNIT -> initProcessGroup(rank, byRules());
            case HCCL -> DeviceProcessGroup.of(HCCL, rank, HcclCollectives::new);
            default ->
                throw new IllegalArgumentException("backend = \"" + backend + "\": devices have \"" + RANKUNIT
                        + "\" and \"" + HCCL + "\"; \"" + AHBM + "\" needs a machine of processing elements");
        };
    }

    private static Function<CollectiveCall, Selection> byRules() {
        HcclAlgo asked = Optional.ofNullable(System.getenv("HCCL_ALGO"))
                .filter(value -> !value.isEmpty())
                .map(HcclAlgo::parse)
                .orElse(HcclAlgo.none());
        Rules rules = new Rules(Interconnect.MESH, asked);
        return call -> rules.select(call)
                .orElseThrow(() -> new IllegalArgumentException("no algorithm of RankUnit applies to " + call));
    }

    /**
     * Make a group of the devices of all ranks of a device test, with algorithms that you choose.
     *
     * @param selection is asked at each call, on every rank alike
     */
    public static ProcessGroup initProcessGroup(RankContext rank, Function<CollectiveCall, Selection> selection) {
        return DeviceProcessGroup.of(RANKUNIT, rank, members -> new PlannedCollectives(members, selection));
    }
}
