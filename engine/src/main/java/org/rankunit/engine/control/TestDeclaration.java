package org.rankunit.engine.control;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Everything that the author of a device test declared about one variant of it.
 *
 * <p>{@code DeclarationReader} reads it from the annotations, and it is carried whole from there to the ranks: what is to be done
 * with a declaration asks this record. Immutable.
 *
 * @param place where the test is declared, for messages: {@code package.Class.method}
 * @param ranks number of ranks; 0 where that is not known, since something is wrong with the declaration
 * @param platforms names of the platforms it may run on; empty for any
 * @param syncPrefix bytes at the start of the window that stay free of buffers, and are filled with zeros before the test
 * @param runtime name of the runtime it loads, which never shares a process with another; empty for none
 * @param freshFor the class or method that asks for ranks of its own, or {@code null} for any ranks
 * @param timeoutMillis how long each test of it may take on all its ranks; 0 for as long as any test
 */
public record TestDeclaration(
        String place,
        int ranks,
        List<String> platforms,
        List<BufferDeclaration> buffers,
        int syncPrefix,
        String runtime,
        @Nullable String freshFor,
        long timeoutMillis) {

    /** Declare a test without anything but its number of ranks. */
    public static TestDeclaration plain(String place, int ranks) {
        return new TestDeclaration(place, ranks, List.of(), List.of(), 0, "", null, 0);
    }

    /** Copy this declaration for another number of ranks. */
    public TestDeclaration onRanks(int number) {
        return new TestDeclaration(place, number, platforms, buffers, syncPrefix, runtime, freshFor, timeoutMillis);
    }
}
