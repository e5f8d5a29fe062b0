package org.rankunit.engine.rank.threads;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Tells from the class file of a test whether it is likely to make threads. While a method runs, its class is better not changed: the
 * method goes on as it was, but stack traces no longer know its lines. Not thread-safe.
 */
final class ThreadUse {

    private static final Pattern CLASS = Pattern.compile("\\[(nested-)?class(?:-template)?:([^\\]]+)]");

    /** What the constant pool of such a class has. */
    private static final Pattern THREADS =
            Pattern.compile("java/lang/Thread|java/util/Timer\\b|Executor|CompletableFuture"
                    + "|ForkJoin|assertTimeoutPreemptively|SEPARATE_THREAD|parallel");

    private final Set<String> seen = new HashSet<>();

    /** Whether a test of a class that was not asked for before is likely to make threads. */
    boolean isNewIn(String uniqueId) {
        StringBuilder name = new StringBuilder();
        Matcher each = CLASS.matcher(uniqueId);
        while (each.find()) {
            name.append(each.group(1) == null ? "" : "$").append(each.group(2));
        }
        return seen.add(name.toString()) && isIn(name.toString().replace('.', '/') + ".class");
    }

    private static boolean isIn(String file) {
        try (InputStream in = Thread.currentThread().getContextClassLoader().getResourceAsStream(file)) {
            return in != null
                    && THREADS.matcher(new String(in.readAllBytes(), StandardCharsets.ISO_8859_1))
                            .find();
        } catch (IOException e) {
            return false; // then it is known as soon as a thread is made
        }
    }
}
