package org.rankunit.pool.queue;

import java.util.BitSet;
import java.util.Optional;
import org.apiguardian.api.API;
import org.rankunit.pool.health.DeviceHealth;
import org.rankunit.pool.lock.PoolException;

/** One attempt to lock all devices of a request when no request is waiting. The caller must hold the pool's mutex. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class LeaseAttempt {

    private final DeviceLocks locks;
    private final ResolvedRequest request;

    public LeaseAttempt(DeviceLocks locks, ResolvedRequest request) {
        this.locks = locks;
        this.request = request;
    }

    /**
     * Lock all devices of the request, or none; uses only sound devices if there are enough.
     *
     * @return empty if too few devices are free
     * @throws PoolException if the folder's files cannot be used; nothing stays locked
     */
    public Optional<HeldDevices> make() {
        BitSet sound = (BitSet) request.choice().all().clone();
        BitSet suspect = new BitSet();
        Optional<HeldDevices> held = from(sound, sound, suspect);
        if (held.isPresent() || suspect.isEmpty() || request.probe().isPresent()) {
            return held;
        }
        sound.or(suspect);
        return from(sound, new BitSet(), new BitSet());
    }

    /**
     * Choose from {@code usable} and lock the choice; repeat while a chosen device turns out to be held or not sound.
     *
     * @param asked devices whose health must be checked
     */
    private Optional<HeldDevices> from(BitSet usable, BitSet asked, BitSet suspect) {
        while (true) {
            BitSet chosen = request.choice().choose(usable, request.count());
            if (chosen.isEmpty()) {
                return Optional.empty();
            }
            BitSet refused = new BitSet();
            chosen.stream().filter(device -> !isGood(device, asked, suspect)).forEach(refused::set);
            if (refused.isEmpty()) {
                return Optional.of(locks.handOver(chosen, request));
            }
            usable.andNot(refused);
        }
    }

    private boolean isGood(int device, BitSet asked, BitSet suspect) {
        if (!locks.lock(device)) {
            return false;
        }
        DeviceHealth health = asked.get(device) ? locks.health(device) : new DeviceHealth.Sound();
        if (health instanceof DeviceHealth.Suspect) {
            suspect.set(device);
        }
        return health instanceof DeviceHealth.Sound;
    }
}
