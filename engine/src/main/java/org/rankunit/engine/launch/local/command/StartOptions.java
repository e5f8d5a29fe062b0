package org.rankunit.engine.launch.local.command;

import java.nio.channels.spi.SelectorProvider;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * JVM arguments that let a rank start fast and stay small, each only where the user has not chosen otherwise.
 *
 * <p>What is gained was measured on 2 cores with JDK 17; {@code docs/architecture.md} has the figures.
 */
final class StartOptions {

    static final String FAST_COMPILER = "-XX:TieredStopAtLevel=1";

    /**
     * Where JNA looks for system libraries before it asks the linker, which knows all the others. Unset, JNA starts a
     * process for this list in every rank, which takes longer than all the rest of its own start.
     */
    private static final String LIBRARY_FOLDERS = "/lib:/usr/lib:/lib64:/usr/lib64";

    /** From this JDK on, reflection makes no accessor classes any more. */
    private static final int WITHOUT_INFLATION = 18;

    /** The newest JDK of which we know its diagnostic options; a JVM does not start with one that it does not have. */
    private static final int NEWEST_TRIED = 25;

    /** Room for what a rank allocates until its first test, so that it starts without a collection. */
    private static final String INITIAL_HEAP = "-Xms24m";

    /** How long a JVM that has crashed may write its report; unlimited it would be two minutes. */
    private static final int CRASH_REPORT_SECONDS = 5;

    private final List<String> chosen;
    private final int cores;
    private final boolean assertions;

    /**
     * Look at what the user has chosen.
     *
     * @param cores processors of this machine
     * @param assertions whether this JVM checks {@code assert}: Surefire switches that on without an argument
     */
    StartOptions(List<String> chosen, int cores, boolean assertions) {
        this.chosen = List.copyOf(chosen);
        this.cores = cores;
        this.assertions = assertions;
    }

    /** Those of all ranks. */
    List<String> ofAll() {
        List<String> options = new ArrayList<>();
        if (isOpen(a -> a.matches("-XX:[+]Use\\w+GC"))) {
            options.add("-XX:+UseSerialGC");
        }
        if (isOpen(a -> a.startsWith("-Xms") || a.startsWith("-XX:InitialHeapSize"))) {
            options.add(INITIAL_HEAP);
        }
        addProperty("jna.platform.library.path", LIBRARY_FOLDERS, options);
        String provider = SelectorProvider.provider().getClass().getName();
        if (provider.startsWith("sun.nio.ch.")) {
            // Named, it is not searched for in every jar.
            addProperty("java.nio.channels.spi.SelectorProvider", provider, options);
        }
        if (Runtime.version().feature() < WITHOUT_INFLATION) {
            // Otherwise classes are made for what is called some fifteen times, as much is just before the first test.
            addProperty("sun.reflect.inflationThreshold", "200", options);
        }
        if (isOpen(a -> a.startsWith("--enable-native-access"))) {
            // Without it, from JDK 24 on, JNA makes every rank print a warning.
            options.add("--enable-native-access=ALL-UNNAMED");
        }
        if (assertions && isOpen(StartOptions::isAboutAssertions)) {
            options.add("-ea");
        }
        if (isOpen(a -> a.contains("CreateCoredumpOnCrash"))) {
            // A crash is told with the report of the JVM; a core of some gigabytes is for who asks for it.
            options.add("-XX:-CreateCoredumpOnCrash");
        }
        if (isOpen(a -> a.startsWith("-XX:ErrorLogTimeout"))) {
            // In seconds. What is needed is written at once; in a heap that native code has broken the rest may never
            // be.
            options.add("-XX:ErrorLogTimeout=" + CRASH_REPORT_SECONDS);
        }
        options.add("-XX:-UsePerfData");
        options.addAll(archiveInPlace());
        return options;
    }

    /**
     * Map archives of classes where they were made for. By default a JVM moves them to a random address, which rewrites their
     * pages: 11 of the 50 ms that an empty JVM takes, and memory that ranks could share.
     */
    private List<String> archiveInPlace() {
        boolean hotSpot = System.getProperty("java.vm.name", "").matches(".*(HotSpot|OpenJDK).*Server VM");
        boolean known = hotSpot && Runtime.version().feature() <= NEWEST_TRIED;
        return known && isOpen(a -> a.startsWith("-XX:ArchiveRelocationMode"))
                ? List.of("-XX:+UnlockDiagnosticVMOptions", "-XX:ArchiveRelocationMode=0")
                : List.of();
    }

    /**
     * Those of the ranks of one group.
     *
     * <p>Where cores are scarce, the optimizing compiler takes them from the tests: then ranks do with the fast compiler.
     */
    List<String> ofGroup(int ranks) {
        boolean scarce = 2 * ranks > cores;
        return scarce && isOpen(StartOptions::isAboutCompilers) ? List.of(FAST_COMPILER) : List.of();
    }

    private static boolean isAboutCompilers(String argument) {
        return argument.contains("Tiered")
                || argument.contains("Compil")
                || argument.equals("-Xint")
                || argument.equals("-Xcomp");
    }

    private static boolean isAboutAssertions(String argument) {
        return argument.matches("-(ea|da|enableassertions|disableassertions)(:.*)?");
    }

    private void addProperty(String name, String value, List<String> options) {
        if (isOpen(a -> a.startsWith("-D" + name + "="))) {
            options.add("-D" + name + "=" + value);
        }
    }

    private boolean isOpen(Predicate<String> choice) {
        return chosen.stream().noneMatch(choice);
    }
}
