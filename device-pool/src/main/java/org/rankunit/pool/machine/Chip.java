package org.rankunit.pool.machine;

import org.jspecify.annotations.Nullable;

/**
 * What {@code npu-smi} tells of one chip.
 *
 * @param chip 0 where the format has no number, as that of A5
 * @param logicId null where it is not told
 * @param phyId null where it is not told
 * @param health empty where it is not told
 * @param busId empty where it is not told
 */
record Chip(
        int npu,
        int chip,
        @Nullable Integer logicId,
        @Nullable Integer phyId,
        String name,
        String health,
        String busId) {

    boolean isAt(Chip other) {
        return npu == other.npu && chip == other.chip;
    }

    Chip withIdsOf(Chip other) {
        return new Chip(npu, chip, other.logicId, phyId == null ? other.phyId : phyId, name, health, busId);
    }

    /** Reads an id; null where {@code text} is no number of at most four digits, such as {@code -}. */
    static @Nullable Integer number(@Nullable String text) {
        return text != null && text.matches("\\d{1,4}") ? Integer.valueOf(text) : null;
    }
}
