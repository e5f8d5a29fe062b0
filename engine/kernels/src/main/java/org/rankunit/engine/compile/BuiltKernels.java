package org.rankunit.engine.compile;

import java.util.Map;
import java.util.TreeMap;
import org.rankunit.engine.protocol.wire.Limits;

/**
 * The kernels of one platform that were compiled from source, by their names. Immutable.
 *
 * @param libraries paths of shared libraries
 * @param problems why there is no library for a source, for the author of a test that needs it
 */
public record BuiltKernels(Map<String, String> libraries, Map<String, String> problems) {

    public static final BuiltKernels NONE = new BuiltKernels(Map.of(), Map.of());

    /** Of many kernels that do not compile, each is reported with at least so much. */
    private static final int LEAST_CHARS = 500;

    public BuiltKernels {
        libraries = Map.copyOf(libraries);
        problems = Map.copyOf(problems);
    }

    /** Whether there was no source. */
    public boolean isEmpty() {
        return libraries.isEmpty() && problems.isEmpty();
    }

    /** The results as a message to a rank has room for them. */
    static BuiltKernels of(Map<String, KernelResult> results) {
        Map<String, String> libraries = new TreeMap<>();
        Map<String, String> problems = new TreeMap<>();
        int most = Math.max(LEAST_CHARS, Limits.TEXT_CHARS / Math.max(1, results.size()));
        results.forEach((name, result) -> {
            if (result instanceof KernelResult.Ready ready) {
                libraries.put(name, ready.library().toString());
            } else if (result instanceof KernelResult.Failed failed) {
                problems.put(name, Limits.cut(failed.why(), most));
            }
        });
        return new BuiltKernels(libraries, problems);
    }
}
