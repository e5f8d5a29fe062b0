package org.rankunit.engine.rank.evidence;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The threads that tests have left running on this rank, of Java and of native code. What such a thread does may strike a later
 * test, which is not to blame. Thread-safe.
 */
public final class LeftThreads {

    private static final File TASKS = new File("/proc/self/task");

    /** Threads that the JVM, JNA and RankUnit start when they need them, as the kernel names them. */
    private static final Pattern OF_NO_TEST =
            Pattern.compile("(C[12] Compiler|GC |G1 |VM |Sweeper|Attach |Signal Disp|Service "
                    + "|Monitor |Notification|Common-Clean|process reaper|JNA |Finalizer|Reference Han|rankunit).*");

    private final Map<Thread, String> byThread = Collections.synchronizedMap(new WeakHashMap<>());
    private Set<Thread> threadsBefore = Set.of();
    private Set<Integer> tasksBefore = Set.of();

    /** A test is about to run. */
    public void testBegins() {
        threadsBefore = threads();
        tasksBefore = tasks();
    }

    /**
     * The test has ended. Returns the threads that were started meanwhile and still run, by the numbers that the kernel has for them.
     */
    public List<Integer> testEnded(String test) {
        Set<Thread> started = threads();
        started.removeAll(threadsBefore);
        started.forEach(thread -> byThread.putIfAbsent(thread, test));
        Set<Integer> left = tasks();
        left.removeAll(tasksBefore);
        return left.stream().filter(LeftThreads::isOfTest).sorted().toList();
    }

    /** Prefix what the calling thread says with the test that it was left by; unchanged if it was left by none. */
    public String signed(String text) {
        Thread caller = Thread.currentThread();
        String test = byThread.get(caller);
        return test == null
                ? text
                : "thread \"" + caller.getName() + "\", which " + test + " has left running: " + text;
    }

    private static Set<Thread> threads() {
        ThreadGroup root = Thread.currentThread().getThreadGroup();
        while (root.getParent() != null) {
            root = root.getParent();
        }
        Thread[] all = new Thread[2 * root.activeCount()];
        int count = root.enumerate(all);
        return Stream.of(all).limit(count).collect(Collectors.toCollection(HashSet::new));
    }

    private static Set<Integer> tasks() {
        String[] names = TASKS.list();
        return names == null
                ? new HashSet<>()
                : Stream.of(names).map(Integer::valueOf).collect(Collectors.toCollection(HashSet::new));
    }

    private static boolean isOfTest(int task) {
        try {
            return !OF_NO_TEST
                    .matcher(Files.readString(Path.of(TASKS.getPath(), String.valueOf(task), "comm")))
                    .lookingAt();
        } catch (IOException e) {
            return false; // It has ended meanwhile.
        }
    }
}
