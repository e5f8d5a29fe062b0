package org.rankunit.engine.rank.threads;

import java.util.Set;
import java.util.regex.Pattern;
import org.rankunit.engine.protocol.UserCode;
import org.rankunit.engine.rank.threads.boot.ThreadHook;

/** Who has called RankUnit by way of the JDK. Stateless. */
final class CallingClass {

    /** The frames of method references are hidden. */
    private static final StackWalker STACK = StackWalker.getInstance(
            Set.of(StackWalker.Option.RETAIN_CLASS_REFERENCE, StackWalker.Option.SHOW_HIDDEN_FRAMES));

    /** What stands between a user and the object: other methods of its class, and views of collections. */
    private static final Pattern BETWEEN =
            Pattern.compile("java\\.util\\.concurrent\\..*|java\\.util\\.(Collections|Abstract).*");

    /** JUnit's assertions that stop code which takes too long, and its timeouts that use the same. */
    private static final String PREEMPTIVE = "org.junit.jupiter.api.AssertTimeoutPreemptively";

    private CallingClass() {}

    /** Whether a class of the user is among those that have called, or one that runs code of the user in a thread of its own. */
    static boolean isUserAbove() {
        return STACK.walk(frames -> frames.map(StackWalker.StackFrame::getDeclaringClass)
                .map(Class::getName)
                .anyMatch(name -> UserCode.includes(name) || name.startsWith(PREEMPTIVE)));
    }

    static boolean isUser() {
        return STACK.walk(frames -> frames.dropWhile(frame -> frame.getDeclaringClass() != ThreadHook.class)
                .dropWhile(frame -> frame.getDeclaringClass() == ThreadHook.class)
                .map(StackWalker.StackFrame::getDeclaringClass)
                .map(Class::getName)
                .dropWhile(name -> BETWEEN.matcher(name).matches())
                .findFirst()
                .map(UserCode::includes)
                .orElse(false));
    }
}
