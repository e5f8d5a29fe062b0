package org.rankunit.collective.verify.symmetry;

import java.util.ArrayList;
import java.util.List;
import org.rankunit.collective.verify.finding.FindingKind;

/** What keeps a schedule from being proved by symmetry: the first kinds of findings that it shows, or might. */
final class Doubts {

    private final List<FindingKind> kinds = new ArrayList<>();

    void add(FindingKind kind) {
        if (!kinds.contains(kind)) {
            kinds.add(kind);
        }
    }

    boolean isEmpty() {
        return kinds.isEmpty();
    }

    List<FindingKind> kinds() {
        return List.copyOf(kinds);
    }
}
