package org.rankunit.engine.rank.threads;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.security.CodeSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.rankunit.engine.protocol.UserCode;

/**
 * Tells from the class file of a test, and of the classes that it uses, whether it is likely to make threads. While a method runs, its
 * class is better not changed: the method goes on as it was, and stack traces no longer know its lines. Not thread-safe.
 */
final class ThreadUse {

    /** So many classes are looked at for a test, the nearest first. */
    private static final int MAX_CLASSES = 50;

    private static final Pattern CLASS = Pattern.compile("\\[(nested-)?class(?:-template)?:([^\\]]+)]");

    /** What the file of such a class contains. Plain searches, since patterns are slow in a JVM that has just started. */
    private static final List<String> THREADS =
            List.of("Executor", "CompletableFuture", "ForkJoin", "assertTimeoutPreemptively", "SEPARATE_THREAD");

    /** Methods of {@link Thread} that make one; others, such as {@code currentThread}, are called by many tests. */
    private static final Set<String> MAKES_THREAD = Set.of("<init>", "ofVirtual", "ofPlatform", "startVirtualThread");

    private static final String TIMER = "java.util.Timer";

    /** The names of methods of streams, arrays and collections that use several threads start with it. */
    private static final String PARALLEL = "parallel";

    /** Where the classes of this engine are. */
    private static final @Nullable CodeSource OWN =
            ThreadUse.class.getProtectionDomain().getCodeSource();

    /** The tags of a class and of methods in a constant pool. */
    private static final int CLASS_TAG = 7;

    private static final int METHOD_TAG = 10;
    private static final int INTERFACE_METHOD_TAG = 11;

    private final Set<String> seen = new HashSet<>();

    /** Whether a test of a class that was not asked for before is likely to make threads. */
    boolean isNewIn(String uniqueId) {
        StringBuilder name = new StringBuilder();
        Matcher each = CLASS.matcher(uniqueId);
        while (each.find()) {
            name.append(each.group(1) == null ? "" : "$").append(each.group(2));
        }
        Deque<String> open = new ArrayDeque<>();
        if (seen.add(name.toString())) {
            open.add(name.toString());
        }
        for (int looked = 0; looked < MAX_CLASSES && !open.isEmpty(); looked++) {
            if (isIn(open.remove(), open)) {
                return true;
            }
        }
        return false;
    }

    /** Adds the classes that this one uses. */
    private boolean isIn(String className, Deque<String> used) {
        String file = className.replace('.', '/') + ".class";
        ClassLoader loader = Thread.currentThread().getContextClassLoader();
        try (InputStream in = loader.getResourceAsStream(file)) {
            if (in == null || isOwn(className, loader.getResource(file))) {
                return false;
            }
            byte[] bytes = in.readAllBytes();
            ClassReader reader = new ClassReader(bytes);
            char[] buffer = new char[reader.getMaxStringLength()];
            String text = new String(bytes, StandardCharsets.ISO_8859_1);
            boolean makesThread = THREADS.stream().anyMatch(text::contains);
            for (int i = 1; i < reader.getItemCount(); i++) {
                int at = reader.getItem(i);
                int tag = at > 0 ? bytes[at - 1] : 0;
                if (tag == CLASS_TAG) {
                    String other = reader.readUTF8(at, buffer).replace('/', '.');
                    makesThread |= other.equals(TIMER);
                    if (!other.startsWith("[") && UserCode.includes(other) && seen.add(other)) {
                        used.add(other);
                    }
                } else if (tag == METHOD_TAG || tag == INTERFACE_METHOD_TAG) {
                    makesThread |= makesThread(reader, at, buffer);
                }
            }
            return makesThread;
        } catch (IOException | RuntimeException e) {
            return false; // then it is known as soon as a thread is made
        }
    }

    /** Whether a class belongs to the engine: the engine's own tests refer to such classes. */
    private static boolean isOwn(String className, @Nullable URL place) {
        return className.startsWith("org.rankunit.")
                && place != null
                && OWN != null
                && place.toString().contains(OWN.getLocation().toString());
    }

    /** Whether the method at this place of the constant pool makes a thread. Methods of user code are looked at themselves. */
    private static boolean makesThread(ClassReader reader, int at, char[] buffer) {
        int nameAndType = reader.getItem(reader.readUnsignedShort(at + 2));
        String owner = reader.readClass(at, buffer);
        String name = reader.readUTF8(nameAndType, buffer);
        return (owner.equals("java/lang/Thread") && MAKES_THREAD.contains(name))
                || (name.startsWith(PARALLEL) && !UserCode.includes(owner.replace('/', '.')));
    }
}
