package org.rankunit.pool.machine.npusmi;

import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * What {@code npu-smi} reports about one chip.
 *
 * @param chip 0 if the format has no number, like that of A5
 * @param logicId null if not reported
 * @param phyId null if not reported
 * @param health empty if not reported
 * @param busId empty if not reported
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record Chip(
        int npu,
        int chip,
        @Nullable Integer logicId,
        @Nullable Integer phyId,
        String name,
        String health,
        String busId) {

    public boolean isAt(Chip other) {
        return npu == other.npu && chip == other.chip;
    }

    public Chip withIdsOf(Chip other) {
        return new Chip(npu, chip, other.logicId, phyId == null ? other.phyId : phyId, name, health, busId);
    }

    /** Reads an id; null if {@code text} is not a number of at most four digits, such as {@code -}. */
    public static @Nullable Integer number(@Nullable String text) {
        return text != null && text.matches("\\d{1,4}") ? Integer.valueOf(text) : null;
    }
}
