package org.rankunit.rules;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The same readers for Jazzer, which finds inputs by the code that they reach. Used by {@code .ci/fuzz.sh}. */
public final class CoverageFuzz {

    private static FuzzTarget<?> target;

    private CoverageFuzz() {}

    /** Write the inputs of all targets of a class, each in a folder of its name, and print these names. */
    public static void main(String[] args) throws Exception {
        for (FuzzTarget<?> each : targets(args[0])) {
            Path folder = Files.createDirectories(Path.of(args[1], each.name()));
            int number = 0;
            for (byte[] seed : each.seeds()) {
                Files.write(folder.resolve("seed-" + number++), seed);
            }
            System.out.println(each.name());
        }
    }

    private static List<FuzzTarget<?>> targets(String type) throws Exception {
        var constructor = Class.forName(type).getDeclaredConstructor();
        constructor.setAccessible(true);
        return ((FuzzedReaders) constructor.newInstance()).targets();
    }

    /** Called by Jazzer, with the class and the name of a target. */
    public static void fuzzerInitialize(String[] args) throws Exception {
        target = targets(args[0]).stream()
                .filter(each -> each.name().equals(args[1]))
                .findFirst()
                .orElseThrow();
    }

    /** Called by Jazzer. Classes that are loaded meanwhile are instrumented, which takes far more memory than a reader may take. */
    public static void fuzzerTestOneInput(byte[] input) {
        target.reads(input, Long.MAX_VALUE);
    }
}
