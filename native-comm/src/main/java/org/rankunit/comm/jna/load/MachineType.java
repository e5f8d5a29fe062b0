package org.rankunit.comm.jna.load;

import java.util.Map;

/** The operating systems and processors for which there are native libraries. */
final class MachineType {

    private static final Map<String, String> PREFIX_BY_PROCESSOR =
            Map.of("amd64", "linux-x86-64", "x86_64", "linux-x86-64", "aarch64", "linux-aarch64");

    private MachineType() {}

    /** The folder of this machine's libraries in a jar, as JNA names it: {@code linux-x86-64}. */
    static String resourcePrefix() {
        return resourcePrefix(System.getProperty("os.name", "unknown"), System.getProperty("os.arch", "unknown"));
    }

    static String resourcePrefix(String operatingSystem, String processor) {
        String prefix = PREFIX_BY_PROCESSOR.get(processor);
        if (!operatingSystem.equals("Linux") || prefix == null) {
            throw new NativeLibraryException("RankUnit has no native library for " + operatingSystem + " on "
                    + processor + "; supported: Linux on x86_64 (linux-x86-64) and aarch64 (linux-aarch64)");
        }
        return prefix;
    }
}
