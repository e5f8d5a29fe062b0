package org.rankunit.engine.launch.command;

import java.nio.channels.spi.SelectorProvider;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * JVM arguments that make a rank start fast and stay small. Each is added only if the user has not chosen otherwise.
 *
 * <p>The savings were measured on 2 cores with JDK 17; {@code docs/decisions/0004-start-of-a-rank.md} has the figures.
 */
final class StartOptions {

    static final String FAST_COMPILER = "-XX:TieredStopAtLevel=1";

    /**
     * Where JNA looks for system libraries before it asks the linker, which knows all others. If this is not set, JNA starts a
     * process in every rank to determine this list, which takes longer than the rest of its start-up.
     */
    private static final String LIBRARY_FOLDERS = "/lib:/usr/lib:/lib64:/usr/lib64";

    /** The order of threads is seen only of those that inherit from the thread that makes them. */
    private static final String COMMON_POOL_THREADS = "org.rankunit.engine.rank.threads.CommonPoolThreads";

    /** From this JDK on, reflection no longer generates accessor classes. */
    private static final int WITHOUT_INFLATION = 18;

    /** The newest JDK whose diagnostic options are known here; a JVM does not start with an unknown option. */
    private static final int NEWEST_TRIED = 25;

    /** Enough heap for what a rank allocates until its first test, so that it starts without a garbage collection. */
    private static final String INITIAL_HEAP = "-Xms24m";

    /** How long a crashed JVM may write its report, in seconds; the default limit is two minutes. */
    private static final int CRASH_REPORT_SECONDS = 5;

    private final List<String> chosen;
    private final int cores;
    private final boolean assertions;

    /**
     * Make options that respect the user's arguments.
     *
     * @param cores processors of this machine
     * @param assertions whether this JVM checks {@code assert}: Surefire enables that without an argument
     */
    StartOptions(List<String> chosen, int cores, boolean assertions) {
        this.chosen = List.copyOf(chosen);
        this.cores = cores;
        this.assertions = assertions;
    }

    /** The options for all ranks. */
    List<String> ofAll() {
        List<String> options = new ArrayList<>();
        if (isOpen(a -> a.matches("-XX:[+]Use\\w+GC"))) {
            options.add("-XX:+UseSerialGC");
        }
        if (isOpen(a -> a.startsWith("-Xms") || a.startsWith("-XX:InitialHeapSize"))) {
            options.add(INITIAL_HEAP);
        }
        addProperty("jna.platform.library.path", LIBRARY_FOLDERS, options);
        addProperty("java.util.concurrent.ForkJoinPool.common.threadFactory", COMMON_POOL_THREADS, options);
        String provider = SelectorProvider.provider().getClass().getName();
        if (provider.startsWith("sun.nio.ch.")) {
            // If it is named, the JVM does not search every jar for it.
            addProperty("java.nio.channels.spi.SelectorProvider", provider, options);
        }
        if (Runtime.version().feature() < WITHOUT_INFLATION) {
            // Otherwise classes are generated for whatever is called about fifteen times, which happens a lot just
            // before the first
            // test.
            addProperty("sun.reflect.inflationThreshold", "200", options);
        }
        if (isOpen(a -> a.startsWith("--enable-native-access"))) {
            // Without it, JNA prints a warning in every rank from JDK 24 on.
            options.add("--enable-native-access=ALL-UNNAMED");
        }
        if (assertions && isOpen(StartOptions::isAboutAssertions)) {
            options.add("-ea");
        }
        if (isOpen(a -> a.contains("CreateCoredumpOnCrash"))) {
            // A crash is reported from the JVM's report; a core dump of several gigabytes is only for users who ask for
            // it.
            options.add("-XX:-CreateCoredumpOnCrash");
        }
        if (isOpen(a -> a.startsWith("-XX:ErrorLogTimeout"))) {
            // In seconds. The important part is written at once; if native code has corrupted the heap, the rest may
            // never be.
            options.add("-XX:ErrorLogTimeout=" + CRASH_REPORT_SECONDS);
        }
        if (isOpen(a -> a.contains("EnableDynamicAgentLoading"))) {
            // Without it, the JVM prints a warning from JDK 21 on when a test makes its first thread.
            options.add("-XX:+EnableDynamicAgentLoading");
        }
        options.add("-XX:-UsePerfData");
        options.addAll(archiveInPlace());
        return options;
    }

    /**
     * Map class archives at the address they were built for. By default a JVM relocates them to a random address and rewrites their
     * pages. That costs 11 of the 50 ms that an empty JVM takes, and memory that ranks could share.
     */
    private List<String> archiveInPlace() {
        boolean hotSpot = System.getProperty("java.vm.name", "").matches(".*(HotSpot|OpenJDK).*Server VM");
        boolean known = hotSpot && Runtime.version().feature() <= NEWEST_TRIED;
        return known && isOpen(a -> a.startsWith("-XX:ArchiveRelocationMode"))
                ? List.of("-XX:+UnlockDiagnosticVMOptions", "-XX:ArchiveRelocationMode=0")
                : List.of();
    }

    /**
     * The options for the ranks of one group.
     *
     * <p>If cores are scarce, the optimizing compiler takes them from the tests, so ranks use only the fast compiler.
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
