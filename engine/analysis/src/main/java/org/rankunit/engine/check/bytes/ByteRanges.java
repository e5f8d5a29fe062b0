package org.rankunit.engine.check.bytes;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.rankunit.engine.check.bytes.Pieces.Bytes;
import org.rankunit.engine.timeline.TestRange.Space;

/** Bytes of any memory, as ranges. */
public final class ByteRanges {

    /** Begins and ends; disjoint, with gaps between them. */
    private final Map<Space, TreeMap<Long, Long>> ranges = new HashMap<>();

    public void add(Space space, long begin, long end) {
        TreeMap<Long, Long> all = ranges.computeIfAbsent(space, each -> new TreeMap<>());
        long from = begin;
        long to = end;
        Map.Entry<Long, Long> before = all.floorEntry(end);
        while (before != null && before.getValue() >= from) {
            from = Math.min(from, before.getKey());
            to = Math.max(to, before.getValue());
            all.remove(before.getKey());
            before = all.floorEntry(end);
        }
        all.put(from, to);
    }

    public void add(Space space, Pieces pieces) {
        for (long i = 0; i < pieces.count(); i++) {
            Bytes piece = pieces.piece(i);
            add(space, piece.begin(), piece.end());
        }
    }

    /** These and others. */
    public ByteRanges plus(ByteRanges others) {
        ByteRanges both = new ByteRanges();
        ranges.forEach((space, all) -> all.forEach((begin, end) -> both.add(space, begin, end)));
        others.ranges.forEach((space, all) -> all.forEach((begin, end) -> both.add(space, begin, end)));
        return both;
    }

    public boolean has(Space space, Bytes bytes) {
        return end(space, bytes.begin()) >= bytes.end();
    }

    /** The first bytes of a piece that are missing. */
    public @Nullable Bytes firstMissing(Space space, Pieces pieces) {
        if (has(space, new Bytes(pieces.offset(), pieces.end()))) {
            return null;
        }
        for (long i = 0; i < pieces.count(); i++) {
            Bytes piece = pieces.piece(i);
            long at = Math.max(piece.begin(), end(space, piece.begin()));
            if (at < piece.end()) {
                Long next = ranges.getOrDefault(space, new TreeMap<>()).higherKey(at);
                return new Bytes(at, next == null ? piece.end() : Math.min(next, piece.end()));
            }
        }
        return null;
    }

    /** The end of the range that has this byte; the byte itself if none has it. */
    private long end(Space space, long at) {
        TreeMap<Long, Long> all = ranges.get(space);
        Map.Entry<Long, Long> range = all == null ? null : all.floorEntry(at);
        return range == null ? at : Math.max(at, range.getValue());
    }
}
