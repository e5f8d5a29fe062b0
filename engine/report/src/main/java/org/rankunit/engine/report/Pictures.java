package org.rankunit.engine.report;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.rankunit.engine.protocol.wire.Limits;

/** The pictures of one report: the first ones, each algorithm and call once, and not too many. Not thread-safe. */
public final class Pictures {

    /** Of all pictures of a report together, so that its page stays one that opens. */
    static final int MAX_CHARS = 6 << 20;

    private record Key(String algorithm, String call) {}

    private final Map<Key, RunReport.Picture> all = new LinkedHashMap<>();
    private int charsLeft = MAX_CHARS;

    /** Add pictures, as far as they are new and there is room. */
    public Pictures add(List<RunReport.Picture> pictures) {
        for (RunReport.Picture picture : pictures) {
            Key key = new Key(picture.algorithm(), picture.call());
            if (all.size() < Limits.PICTURES && picture.svg().length() <= charsLeft && !all.containsKey(key)) {
                all.put(key, picture);
                charsLeft -= picture.svg().length();
            }
        }
        return this;
    }

    /** Those that were added, in that order. */
    public List<RunReport.Picture> all() {
        return List.copyOf(all.values());
    }
}
