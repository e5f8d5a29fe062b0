package org.rankunit.engine.schedule;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.rankunit.engine.config.ConfigKey;
import org.rankunit.engine.config.Platform;
import org.rankunit.engine.config.PoolSetup;
import org.rankunit.engine.config.SessionTime;
import org.rankunit.engine.config.Settings;
import org.rankunit.engine.protocol.DeviceRef;
import org.rankunit.engine.site.DevicesHere;
import org.rankunit.engine.site.GroupKind;
import org.rankunit.engine.site.GroupRequest;
import org.rankunit.engine.site.Reservation;
import org.rankunit.engine.site.ReservationException;
import org.rankunit.engine.site.Reservations;
import org.rankunit.pool.DeviceLease;
import org.rankunit.pool.DevicePool;
import org.rankunit.pool.LeaseRequest;
import org.rankunit.pool.LeaseTimeoutException;
import org.rankunit.pool.inventory.Inventory;
import org.rankunit.pool.lock.PoolException;

/** Reserves devices for groups in the pool that all processes of this machine share. */
public final class PoolReservations implements Reservations {

    private final PoolSetup setup;
    /** Prefix of lines printed for the user. */
    private static final String PREFIX = "rankunit: ";

    private final Duration timeout;
    private final SessionTime session;
    private @Nullable DevicePool pool;

    /** Reserve devices of this pool. */
    public PoolReservations(PoolSetup setup, Settings settings, SessionTime session) {
        this.session = session;
        this.setup = setup;
        this.timeout = settings.leaseTimeout();
    }

    /** The numbers that the vendor's runtime uses for the hardware devices. */
    public Map<Integer, Integer> runtimeIds() {
        return setup.runtimeIds();
    }

    /** Accesses no device and no other process. */
    @Override
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

    private Optional<String> whyNever(GroupKind kind) {
        if (kind.nodes() > 1) {
            return Optional.of("needs " + kind.nodes() + " nodes, but this run has one machine; on a Slurm cluster, "
                    + ConfigKey.LAUNCHER.key() + " = slurm gives it the nodes of an allocation");
        }
        return Optional.ofNullable(
                        setup.config().inventories().get(kind.platform().id()))
                .flatMap(inventory -> inventory.whyNever(kind.ranks()));
    }

    private int present(Platform platform) {
        Inventory inventory = setup.config().inventories().get(platform.id());
        return inventory == null ? 0 : inventory.devices().size();
    }

    @Override
    public boolean isAwaited(Platform platform) {
        return pool().isAwaited(platform.id());
    }

    @Override
    public Optional<String> whyNever(GroupRequest request, Set<DeviceRef> avoided) {
        return pool().whyNever(leaseRequest(request, avoided));
    }

    @Override
    public Optional<Reservation> tryReserve(GroupRequest request, Set<DeviceRef> avoided) {
        long begin = System.nanoTime();
        try {
            return pool().tryLease(leaseRequest(request, avoided))
                    .map(lease -> new Reservation(new PooledLease(lease), System.nanoTime() - begin));
        } catch (PoolException e) {
            throw new ReservationException(e.getMessage(), e);
        }
    }

    @Override
    public Reservation reserve(GroupRequest request, Set<DeviceRef> avoided, Consumer<String> waits) {
        long begin = System.nanoTime();
        try {
            DeviceLease lease = pool().lease(leaseRequest(request, avoided), session.cap(timeout), text -> {
                System.out.println(PREFIX + text);
                waits.accept(text);
            });
            return new Reservation(new PooledLease(lease), System.nanoTime() - begin);
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

    private static LeaseRequest leaseRequest(GroupRequest request, Set<DeviceRef> avoided) {
        LeaseRequest lease = new LeaseRequest(request.platform().id(), request.ranks(), request.user())
                .avoiding(avoided.stream().map(DeviceRef::id).collect(Collectors.toSet()));
        return request.expected().map(lease::expecting).orElse(lease);
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
