package org.rankunit.engine.rank.buffers;

import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.rankunit.DeviceCount;
import org.rankunit.device.Device;
import org.rankunit.device.DeviceException;
import org.rankunit.device.DeviceShaking;
import org.rankunit.engine.protocol.DeviceRef;
import org.rankunit.engine.protocol.FromRank;
import org.rankunit.engine.protocol.TestDeclaration;
import org.rankunit.engine.protocol.ToRank;
import org.rankunit.engine.rank.files.ParentFiles;
import org.slf4j.LoggerFactory;

/** Shakes the tests of a rank on a simulated device. */
final class Shaking {

    /** With more ranks, to look whether all others sleep takes longer than what they do. */
    private static final int MAX_IN_ORDER = 8;

    private final int rank;
    private final ToRank.BringUp order;
    private final Device device;
    private final ParentFiles files;
    private TestDeclaration.@Nullable Shake wanted;
    private boolean shakes;
    private boolean sharesOrder;

    /** Why the running test is not shaken that was to be. */
    private @Nullable RuntimeException failure;

    Shaking(int rank, ToRank.BringUp order, Device device, ParentFiles files) {
        this.rank = rank;
        this.order = order;
        this.device = device;
        this.files = files;
    }

    /** @param shake how the next test is shaken; {@code null} if it is not */
    void open(TestDeclaration.@Nullable Shake shake) {
        wanted = shake;
    }

    /** Shake the test that begins now, if that is wanted. A failure is told by {@link #check}, where it can fail the test. */
    void begin() {
        TestDeclaration.Shake shake = wanted;
        shakes = false;
        failure = null;
        if (shake == null || !device.isSimulated()) {
            return;
        }
        try {
            shareOrder();
            DeviceShaking.begin(device, strategyOf(shake), shake.seed() * DeviceCount.MAX + rank);
            shakes = true;
        } catch (DeviceException | IllegalStateException e) {
            failure = e;
        }
    }

    /** Throws an IllegalStateException if the running test was to be shaken, and was not. */
    void check() {
        if (failure != null) {
            throw new IllegalStateException("the test was not shaken: " + failure.getMessage(), failure);
        }
    }

    /** Let the order between ranks be decided, too, if they have one and all of them are on this machine. */
    private void shareOrder() {
        Path file = inGroupFolder("order-of-ranks");
        boolean onOneMachine =
                order.devices().stream().map(DeviceRef::node).distinct().count() == 1
                        && files.local(file).equals(file);
        if (!sharesOrder
                && order.communicator()
                && order.worldSize() > 1
                && order.worldSize() <= MAX_IN_ORDER
                && onOneMachine) {
            DeviceShaking.group(device, file, rank, order.worldSize());
            sharesOrder = true;
        }
    }

    private Path inGroupFolder(String name) {
        return Path.of(order.rootInfo()).resolveSibling(name);
    }

    private static int strategyOf(TestDeclaration.Shake shake) {
        return switch (shake.strategy()) {
            case RANDOM -> DeviceShaking.RANDOM;
            case PCT -> DeviceShaking.PCT;
            case DELAY -> DeviceShaking.DELAY;
        };
    }

    /** End shaking; empty if nothing was shaken. */
    Optional<FromRank.Shaken> end(String uniqueId) {
        if (!shakes) {
            return Optional.empty();
        }
        shakes = false;
        Path file = inGroupFolder("decisions-" + rank);
        try {
            DeviceShaking result = DeviceShaking.end(device, files.local(file));
            files.publish(file);
            boolean ordersRanks = sharesOrder || order.worldSize() == 1;
            return Optional.of(
                    new FromRank.Shaken(uniqueId, result.decisions(), result.hash(), file.toString(), ordersRanks));
        } catch (DeviceException | IllegalStateException e) {
            LoggerFactory.getLogger(Shaking.class).debug("No result of shaking", e);
            return Optional.empty();
        }
    }
}
