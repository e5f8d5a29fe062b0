package org.rankunit.engine.control;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Everything that the author of a device test declared about one variant of it.
 *
 * <p>{@code DeclarationReader} reads it from the annotations, and it is passed unchanged from there to the ranks. All code that
 * needs the declaration uses this record. Immutable.
 *
 * @param place where the test is declared, for messages: {@code package.Class.method}
 * @param ranks number of ranks; 0 if it is unknown because the declaration is invalid
 * @param communicator whether its ranks get a communicator
 * @param platforms names of the platforms it may run on; empty for any
 * @param arguments arguments of its kernel or graph, in order; empty if it declares none
 * @param syncPrefix bytes at the start of the window that are kept free of buffers and are filled with zeros before the test
 * @param runtime name of the runtime it loads, which never shares a process with another runtime; empty for none
 * @param freshFor the class or method that requests ranks of its own, or {@code null} for any ranks
 * @param timeoutMillis how long each of its tests may take on all its ranks; 0 for the general limit
 */
public record TestDeclaration(
        String place,
        int ranks,
        boolean communicator,
        List<String> platforms,
        List<BufferDeclaration> buffers,
        List<ArgumentDeclaration> arguments,
        int syncPrefix,
        String runtime,
        @Nullable String freshFor,
        long timeoutMillis) {

    /** Declare a test that specifies only its number of ranks. */
    public static TestDeclaration plain(String place, int ranks) {
        return new TestDeclaration(place, ranks, true, List.of(), List.of(), List.of(), 0, "", null, 0);
    }

    /** Copy this declaration for one variant. */
    public TestDeclaration variant(int ranksOfVariant, String runtimeOfVariant) {
        return new TestDeclaration(
                place,
                ranksOfVariant,
                communicator,
                platforms,
                buffers,
                arguments,
                syncPrefix,
                runtimeOfVariant,
                freshFor,
                timeoutMillis);
    }
}
