package org.rankunit.engine.rank.threads;

import org.rankunit.engine.control.UserCode;
import org.rankunit.engine.rank.threads.boot.ThreadHook;

/** Who called the method of the JDK that has called a hook. Stateless. */
final class CallingClass {

    private static final StackWalker STACK = StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);

    private CallingClass() {}

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
