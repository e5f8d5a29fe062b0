package org.rankunit.engine.schedule;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.rankunit.comm.jna.DeviceLibrary;
import org.rankunit.engine.config.ConfigKey;
import org.rankunit.engine.config.Platform;
import org.rankunit.engine.config.SessionTime;
import org.rankunit.engine.config.Settings;
import org.rankunit.engine.plan.GroupPlan;
import org.rankunit.pool.DeviceLease;
import org.rankunit.pool.DevicePool;
import org.rankunit.pool.Inventory;
import org.rankunit.pool.LeaseRequest;
import org.rankunit.pool.PoolConfig;
import org.rankunit.pool.PoolException;

/** Reserves devices for groups in the pool that all processes of this machine share. */
public final class Reservations {

    private final PoolConfig config;
    private final Duration timeout;
    private final SessionTime session;
    private @Nullable DevicePool pool;

    public Reservations(PoolSetup setup, Settings settings, SessionTime session) {
        this.session = session;
        this.config = setup.config();
        this.timeout = settings.leaseTimeout();
    }

    /** How many devices of each platform tests can run on here; asks no device and no other process. */
    public Map<Platform, Integer> inventory() {
        Map<Platform, Integer> counts = new EnumMap<>(Platform.class);
        for (Platform platform : Platform.all()) {
            counts.put(platform, DeviceLibrary.supports(platform.id()) ? present(platform) : 0);
        }
        return counts;
    }

    private int present(Platform platform) {
        Inventory inventory = config.inventories().get(platform.id());
        return inventory == null ? 0 : inventory.devices().size();
    }

    /** Reserve the devices of a group if they are free now. */
    public Optional<Reservation> tryReserve(GroupPlan plan) {
        long begin = System.nanoTime();
        try {
            return pool().tryLease(request(plan)).map(lease -> new Reservation(lease, System.nanoTime() - begin));
        } catch (PoolException e) {
            throw new ReservationException(e.getMessage(), e);
        }
    }

    /**
     * Reserve the devices of a group, waiting for them.
     *
     * @throws ReservationException if they do not come free in time; the message says who holds them
     */
    public Reservation reserve(GroupPlan plan) {
        long begin = System.nanoTime();
        try {
            DeviceLease lease = pool().lease(request(plan), session.cap(timeout));
            return new Reservation(lease, System.nanoTime() - begin);
        } catch (PoolException e) {
            String limit = session.isOver() ? session.describe() : ConfigKey.LEASE_TIMEOUT.key();
            throw new ReservationException(e.getMessage() + " (" + limit + ")", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ReservationException("interrupted while waiting for devices", e);
        }
    }

    private static LeaseRequest request(GroupPlan plan) {
        return new LeaseRequest(plan.platform().id(), plan.ranks(), plan.className());
    }

    private DevicePool pool() {
        DevicePool open = pool;
        if (open == null) {
            open = DevicePool.open(config);
            pool = open;
        }
        return open;
    }
}
