package org.rankunit.engine.discovery;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.platform.engine.UniqueId;

/**
 * One variant of a discovered device test: everything its author said about it.
 *
 * @param jupiterId Jupiter's unique id of the test, template or factory, as a rank will see it
 * @param selected the unique ids the ranks select: the test itself, or only some of its invocations
 * @param place where it is declared, for messages: {@code package.Class.method}
 * @param ranks number of ranks
 * @param platforms names of the platforms it may run on; empty for any
 * @param syncPrefix bytes of the window that stay free of buffers
 * @param runtime name of the runtime it loads, which never shares a process with another; empty for none
 * @param freshFor the class or method that asks for ranks of its own, or {@code null} for any ranks
 * @param timeoutMillis how long it may take on all its ranks; 0 for as long as any test
 * @param problem what is wrong with the declaration, or {@code null}
 */
public record DeviceTest(
        String jupiterId,
        List<String> selected,
        String place,
        int ranks,
        List<String> platforms,
        List<BufferDeclaration> buffers,
        int syncPrefix,
        String runtime,
        @Nullable String freshFor,
        long timeoutMillis,
        @Nullable String problem) {

    /** What runs nowhere, because something is wrong with its declaration. */
    static DeviceTest refused(UniqueId id, String place, String problem) {
        String inRank = TestIds.inRank(id);
        return new DeviceTest(inRank, List.of(inRank), place, 0, List.of(), List.of(), 0, "", null, 0, problem);
    }
}
