package org.rankunit.engine.discovery;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.platform.engine.UniqueId;
import org.rankunit.engine.protocol.TestDeclaration;

/**
 * One variant of a discovered device test.
 *
 * @param jupiterId Jupiter's unique id of the test, template or factory, as a rank will see it
 * @param selected the unique ids that the ranks select: the test itself, or only some of its invocations
 * @param declaration everything that its author declared
 * @param problem what is wrong with the declaration, or {@code null}
 */
public record DeviceTest(
        String jupiterId,
        List<String> selected,
        TestDeclaration declaration,
        @Nullable String problem) {

    /** A test that never runs, because its declaration is wrong. */
    static DeviceTest refused(UniqueId id, String place, String problem) {
        String inRank = TestIds.inRank(id);
        return new DeviceTest(inRank, List.of(inRank), TestDeclaration.plain(place, 0), problem);
    }

    /** Number of ranks. */
    public int ranks() {
        return declaration.ranks();
    }
}
