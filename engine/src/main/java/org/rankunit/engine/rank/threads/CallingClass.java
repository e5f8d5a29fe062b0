package org.rankunit.engine.rank.threads;

import org.rankunit.engine.control.UserCode;
import org.rankunit.engine.rank.threads.boot.ThreadHook;

/** Who has called RankUnit by way of the JDK. Stateless. */
final class CallingClass {

    private static final StackWalker STACK = StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);

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
        // The hook, the method of the JDK, and then who called it, perhaps through another method of the same class.
        return STACK.walk(frames -> frames.dropWhile(frame -> frame.getDeclaringClass() != ThreadHook.class)
                .dropWhile(frame -> frame.getDeclaringClass() == ThreadHook.class)
                .map(StackWalker.StackFrame::getDeclaringClass)
                .dropWhile(type -> type.getName().startsWith("java.util.concurrent."))
                .findFirst()
                .map(type -> UserCode.includes(type.getName()))
                .orElse(false));
    }
}
