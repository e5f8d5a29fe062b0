package org.rankunit.engine.rank.evidence;

import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.rankunit.comm.jna.DeviceFunctions;
import org.rankunit.device.DeviceActivity;
import org.rankunit.engine.protocol.FromRank;

/** Decides whether a rank whose devices wait could still go on by itself. */
final class DeviceEvidence {

    /** The package of the native functions. */
    private static final String NATIVE = DeviceFunctions.class.getPackageName() + ".";

    /** Groups of threads of the JVM. */
    private static final Set<String> SYSTEM = Set.of("system", "InnocuousThreadGroup");

    private DeviceEvidence() {}

    static FromRank.DeviceWaits of(DeviceActivity activity, Thread main) {
        DeviceActivity.State state = activity.state();
        boolean waits = state == DeviceActivity.State.WAITS || state == DeviceActivity.State.HOST_WAITS;
        boolean mayGoOn = state == DeviceActivity.State.WORKS || (waits && anotherThreadMayGoOn(main));
        boolean hostWaits = state == DeviceActivity.State.HOST_WAITS && isInNativeCall(main.getStackTrace());
        return new FromRank.DeviceWaits(mayGoOn, hostWaits, activity.changes(), activity.waits());
    }

    /** A thread that the test has started may be about to do what its main thread waits for. */
    private static boolean anotherThreadMayGoOn(Thread main) {
        return Thread.getAllStackTraces().entrySet().stream()
                .filter(each -> each.getKey() != main && isOfTest(each.getKey()))
                .anyMatch(each -> isActive(each.getKey().getState()) && !isInNativeCall(each.getValue()));
    }

    private static boolean isOfTest(Thread thread) {
        @Nullable ThreadGroup group = thread.getThreadGroup();
        String name = thread.getName();
        return group != null
                && !SYSTEM.contains(group.getName())
                && !name.startsWith("rankunit-")
                && !name.startsWith("junit-jupiter-timeout-watcher")
                && !name.equals("JNA Cleaner");
    }

    /** A thread that waits without a limit goes on only because of another one. */
    private static boolean isActive(Thread.State state) {
        return state == Thread.State.RUNNABLE || state == Thread.State.TIMED_WAITING;
    }

    private static boolean isInNativeCall(StackTraceElement[] stack) {
        return stack.length > 0
                && stack[0].isNativeMethod()
                && stack[0].getClassName().startsWith(NATIVE);
    }
}
