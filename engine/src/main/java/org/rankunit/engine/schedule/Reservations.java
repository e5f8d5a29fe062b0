package org.rankunit.engine.schedule;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.rankunit.engine.config.ConfigKey;
import org.rankunit.engine.config.Platform;
import org.rankunit.engine.config.SessionTime;
import org.rankunit.engine.config.Settings;
import org.rankunit.engine.plan.DevicesHere;
import org.rankunit.engine.plan.GroupPlan;
import org.rankunit.pool.DeviceLease;
import org.rankunit.pool.DevicePool;
import org.rankunit.pool.LeaseRequest;
import org.rankunit.pool.LeaseTimeoutException;
import org.rankunit.pool.inventory.Inventory;
import org.rankunit.pool.lock.PoolException;

/** Reserves devices for groups in the pool that all processes of this machine share. */
public final class Reservations {

    private final PoolSetup setup;
    /** Prefix of lines printed for the user. */
    private static final String PREFIX = "rankunit: ";

    private final Duration timeout;
    private final Function<GroupPlan, Optional<Duration>> expected;
    private final SessionTime session;
    private @Nullable DevicePool pool;

    /**
     * Reserve devices of this pool.
     *
     * @param expected how long a group will be at work, rather too long than too short; empty if unknown
     */
    public Reservations(
            PoolSetup setup, Settings settings, SessionTime session, Function<GroupPlan, Optional<Duration>> expected) {
        this.session = session;
        this.expected = expected;
        this.setup = setup;
        this.timeout = settings.leaseTimeout();
    }

    /** The numbers that the vendor's runtime uses for the hardware devices. */
    public Map<Integer, Integer> runtimeIds() {
        return setup.runtimeIds();
    }

    /** The devices on which tests can run here; accesses no device and no other process. */
    public DevicesHere devicesHere() {
        Map<Platform, Integer> counts = new EnumMap<>(Platform.class);
        Map<Platform, String> notes = new EnumMap<>(Platform.class);
        for (Platform platform : Platform.all()) {
            counts.put(platform, present(platform));
            if (present(platform) == 0 && isOnMachine(platform)) {
                setup.machine().whyNone(platform.id(), setup.grant()).ifPresent(why -> notes.put(platform, why));
            }
        }
        return new DevicesHere(counts, setup.slice(), notes, this::whyNever, HostMemory.bytes());
    }

    private boolean isOnMachine(Platform platform) {
        return setup.machine().devices().stream()
                .anyMatch(device -> device.platform().equals(platform.id()));
    }

    private Optional<String> whyNever(Platform platform, int count) {
        return Optional.ofNullable(setup.config().inventories().get(platform.id()))
                .flatMap(inventory -> inventory.whyNever(count));
    }

    private int present(Platform platform) {
        Inventory inventory = setup.config().inventories().get(platform.id());
        return inventory == null ? 0 : inventory.devices().size();
    }

    /** Whether any process on this machine waits for devices of a platform. Cheap; the answer may be slightly out of date. */
    public boolean isAwaited(Platform platform) {
        return pool().isAwaited(platform.id());
    }

    /** Why a group can never get its devices without these; empty if it can. */
    public Optional<String> whyNever(GroupPlan plan, Set<Integer> avoided) {
        return pool().whyNever(request(plan, avoided));
    }

    /** Reserve the devices of a group if they are free now. */
    public Optional<Reservation> tryReserve(GroupPlan plan, Set<Integer> avoided) {
        long begin = System.nanoTime();
        try {
            return pool().tryLease(request(plan, avoided))
                    .map(lease -> new Reservation(lease, System.nanoTime() - begin));
        } catch (PoolException e) {
            throw new ReservationException(e.getMessage(), e);
        }
    }

    /**
     * Reserve the devices of a group, waiting for them if necessary.
     *
     * @param avoided devices that must not be used
     * @param waits receives who is in the way while it waits; that is also printed
     * @throws ReservationException if they do not become free in time; the message says who holds them
     */
    public Reservation reserve(GroupPlan plan, Set<Integer> avoided, Consumer<String> waits) {
        long begin = System.nanoTime();
        try {
            DeviceLease lease = pool().lease(request(plan, avoided), session.cap(timeout), text -> {
                System.out.println(PREFIX + text);
                waits.accept(text);
            });
            return new Reservation(lease, System.nanoTime() - begin);
        } catch (LeaseTimeoutException e) {
            String limit = session.isOver() ? session.describe() : ConfigKey.LEASE_TIMEOUT.key();
            throw new ReservationException(e.getMessage() + " (" + limit + ")", e);
        } catch (PoolException e) {
            throw new ReservationException(e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ReservationException("interrupted while waiting for devices", e);
        }
    }

    /** Record that a group uses its devices for these tests from now on. */
    public void renew(DeviceLease lease, GroupPlan plan) {
        lease.renew(plan.className(), expected.apply(plan));
    }

    private LeaseRequest request(GroupPlan plan, Set<Integer> avoided) {
        LeaseRequest request = new LeaseRequest(plan.platform().id(), plan.ranks(), plan.className()).avoiding(avoided);
        return expected.apply(plan).map(request::expecting).orElse(request);
    }

    private DevicePool pool() {
        DevicePool open = pool;
        if (open == null) {
            open = DevicePool.open(setup.config());
            pool = open;
        }
        return open;
    }
}
