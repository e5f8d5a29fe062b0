package org.rankunit.engine.rank.threads;

import java.io.IOException;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.security.ProtectionDomain;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.rankunit.device.Device;
import org.rankunit.engine.protocol.UserCode;

/**
 * Watches by what the threads of tests are ordered. A test that makes no thread pays nothing: the classes of the JDK and of the user are
 * changed before the first test that is likely to make one, or when one is made. One for each process, since classes cannot be changed for one test alone.
 *
 * <p>Thread-safe.
 */
public final class ThreadWatch {

    private static final InheritableThreadLocal<RecordedOrder.@Nullable Participant> PARTICIPANTS = new Participants();
    private static final ThreadWatch OF_PROCESS = new ThreadWatch();

    private final ThreadUse uses = new ThreadUse();
    private volatile @Nullable Device device;
    private volatile @Nullable RecordedOrder order;
    private volatile String failure = "";

    private ThreadWatch() {}

    /** What threads inherit from those that make them. */
    private static final class Participants extends InheritableThreadLocal<RecordedOrder.@Nullable Participant> {

        @Override
        protected RecordedOrder.@Nullable Participant childValue(RecordedOrder.@Nullable Participant parent) {
            if (parent == null || (OF_PROCESS.order == null && !CallingClass.isUserAbove())) {
                return null; // such as the thread by which JUnit watches the time of a test
            }
            OF_PROCESS.begin();
            return new RecordedOrder.Participant();
        }
    }

    public static ThreadWatch ofProcess() {
        return OF_PROCESS;
    }

    /**
     * Watch the threads that the calling thread makes from now on, and those that they make.
     *
     * @param recording a device of this process, which records
     */
    public void watch(Device recording) {
        device = recording;
        if (PARTICIPANTS.get() == null) {
            PARTICIPANTS.set(new RecordedOrder.Participant());
        }
    }

    /** Prepare for a test that the calling thread runs. */
    public void beginTest(String uniqueId, Device recording) {
        watch(recording);
        if (order == null && uses.isNewIn(uniqueId)) {
            begin();
        }
        if (!failure.isEmpty()) {
            recording.recordNoOrder(failure);
        }
    }

    /** Called in the constructor of a thread, so before anything that it does. */
    private synchronized void begin() {
        Device recording = device;
        if (order != null || !failure.isEmpty() || recording == null) {
            return;
        }
        try {
            Instrumentation jvm = Agent.load();
            order = RecordedOrder.begin(PARTICIPANTS, new DeviceLog());
            change(jvm);
        } catch (IOException | RuntimeException | LinkageError | InternalError e) {
            fail(e.toString());
        }
    }

    private void fail(String why) {
        failure = "the order of threads cannot be observed: " + why;
        Device recording = device;
        if (recording != null) {
            recording.recordNoOrder(failure);
        }
    }

    private void change(Instrumentation jvm) {
        Set<String> ofJdk = new HashSet<>();
        Meeting.classes().forEach(ofJdk::add);
        jvm.addTransformer(new Transformer(ofJdk, this::fail), true);
        List<Class<?>> loaded = new ArrayList<>();
        for (Class<?> type : jvm.getAllLoadedClasses()) {
            boolean isOfJdk = type.getClassLoader() == null;
            boolean meets = isOfJdk ? ofJdk.contains(type.getName().replace('.', '/')) : isOfUser(type.getName());
            if (meets && jvm.isModifiableClass(type)) {
                loaded.add(type);
            }
        }
        retransform(jvm, loaded);
    }

    /** All at once, which stops the other threads once, or, if the JVM refuses that because of some, each by itself. */
    private void retransform(Instrumentation jvm, List<Class<?>> classes) {
        try {
            jvm.retransformClasses(classes.toArray(new Class<?>[0]));
        } catch (UnmodifiableClassException | RuntimeException | LinkageError | InternalError e) {
            if (classes.size() == 1) {
                fail(classes.get(0).getName() + " cannot be changed: " + e);
            } else {
                classes.forEach(each -> retransform(jvm, List.of(each)));
            }
        }
    }

    /** What changes classes is not changed: it would need itself for that. */
    private static boolean isOfUser(String className) {
        return !className.startsWith("org.objectweb.asm.")
                && !className.startsWith("org.rankunit.engine.shaded.")
                && UserCode.includes(className);
    }

    /** Changes the classes that are loaded from now on as well. */
    private record Transformer(Set<String> ofJdk, Consumer<String> failed) implements ClassFileTransformer {

        @Override
        public byte @Nullable [] transform(
                @Nullable ClassLoader loader,
                @Nullable String name,
                @Nullable Class<?> redefined,
                @Nullable ProtectionDomain domain,
                byte[] file) {
            if (name == null) {
                return null;
            }
            try {
                return loader == null ? changedOfJdk(name, file) : changed(loader, name, file);
            } catch (RuntimeException | LinkageError e) {
                // The JVM would drop it, and the order that this class makes would be missing without a word.
                failed.accept(name.replace('/', '.') + " cannot be changed: " + e);
                return null;
            }
        }

        private byte @Nullable [] changedOfJdk(String name, byte[] file) {
            return ofJdk.contains(name) ? MeetingCode.addTo(file, JdkMethod::changed) : null;
        }

        private static byte @Nullable [] changed(ClassLoader loader, String name, byte[] file) {
            if (!isOfUser(name.replace('/', '.'))) {
                return null;
            }
            VolatileFields fields = new VolatileFields(loader);
            return MeetingCode.addTo(file, (method, next) -> new UserMethod(method, fields, next));
        }
    }

    /** The record, as the device that records now has it. */
    private final class DeviceLog implements RecordedOrder.Log {

        @Override
        public long events(int[] actor) {
            Device recording = device;
            try {
                return recording == null ? 0 : recording.recordedEvents(actor);
            } catch (IllegalStateException e) {
                return 0; // the device is closed, and nothing is recorded any more
            }
        }

        @Override
        public void acquire(int actor, long nanos) {
            Device recording = device;
            try {
                if (recording != null) {
                    recording.recordAcquire(actor, nanos);
                }
            } catch (IllegalStateException e) {
                // As above. This must not disturb the program's thread, which may be taking a lock.
                device = null;
            }
        }
    }
}
