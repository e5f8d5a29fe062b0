package org.rankunit.engine.merge.collectives;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.rankunit.engine.protocol.FromRank;

/** The collectives of one test, joined from what its ranks say. */
public final class TestCollectives {

    private record Key(String algorithm, String call, String tag) {}

    private final Map<Key, RanCollective> all = new LinkedHashMap<>();

    /** Add what one rank ran; each rank says it once. */
    public void add(FromRank.RanCollective ran) {
        Key key = new Key(ran.algorithm(), ran.call(), ran.tag());
        RanCollective known = all.get(key);
        all.put(key, known == null ? RanCollective.of(ran) : known.with(ran));
    }

    /** Those so far, in the order in which they became known. */
    public List<RanCollective> all() {
        return List.copyOf(all.values());
    }

    public void clear() {
        all.clear();
    }
}
