package org.rankunit.collective.schedule;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.rankunit.collective.Region;
import org.rankunit.collective.Resources;
import org.rankunit.collective.call.BufferKind;
import org.rankunit.collective.call.CollectiveCall;

/** The buffers of all ranks of a call, computed when they are first asked for: each task asks for several. One thread at a time. */
final class Buffers {

    private final CollectiveCall call;
    private final List<Resources> resources;
    private final @Nullable Region[][] known;

    Buffers(CollectiveCall call, List<Resources> resources) {
        this.call = call;
        this.resources = resources;
        this.known = new Region[BufferKind.values().length][];
    }

    /** Get all of a buffer. */
    Region whole(BufferKind kind, int owner) {
        @Nullable Region[] ofKind = known[kind.number()];
        if (ofKind == null) {
            ofKind = new Region[call.ranks()];
            known[kind.number()] = ofKind;
        }
        if (owner < 0 || owner >= ofKind.length) {
            return computed(kind, owner);
        }
        Region region = ofKind[owner];
        if (region == null) {
            region = computed(kind, owner);
            ofKind[owner] = region;
        }
        return region;
    }

    private Region computed(BufferKind kind, int owner) {
        long bytes =
                kind == BufferKind.SCRATCH ? resources.get(owner).scratchBytes() : Schedule.bytesOf(kind, owner, call);
        return new Region(owner, kind, 0, bytes);
    }
}
