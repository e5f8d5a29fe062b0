package org.rankunit.engine.discovery;

import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.TestSource;
import org.junit.platform.engine.TestTag;
import org.junit.platform.engine.UniqueId;
import org.junit.platform.engine.support.descriptor.AbstractTestDescriptor;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;

/**
 * A node of this engine's tree. It mirrors Jupiter's node, and if it is a planned test, describes what the test needs. Its names
 * contain only characters that {@linkplain XmlText reports} allow.
 */
public final class DeviceTestDescriptor extends AbstractTestDescriptor {

    private final Type type;
    private final String legacyName;
    private final Set<TestTag> tags;
    private final boolean mayRegisterTests;
    private final @Nullable DeviceTest test;
    private final String suffix;

    private DeviceTestDescriptor(
            UniqueId id,
            String displayName,
            @Nullable TestSource source,
            Type type,
            String legacyName,
            Set<TestTag> tags,
            boolean mayRegisterTests,
            @Nullable DeviceTest test,
            String suffix) {
        super(id, XmlText.of(displayName), source);
        this.type = type;
        this.legacyName = XmlText.of(legacyName);
        this.tags = Set.copyOf(tags);
        this.mayRegisterTests = mayRegisterTests;
        this.test = test;
        this.suffix = suffix;
    }

    /** Mirror a container. */
    static DeviceTestDescriptor container(TestDescriptor jupiter) {
        return new DeviceTestDescriptor(
                jupiter.getUniqueId(),
                jupiter.getDisplayName(),
                jupiter.getSource().orElse(null),
                Type.CONTAINER,
                jupiter.getLegacyReportingName(),
                jupiter.getTags(),
                false,
                null,
                "");
    }

    /** Make the container of a class for which Jupiter has none. */
    static DeviceTestDescriptor container(UniqueId id, Class<?> type) {
        return new DeviceTestDescriptor(
                id,
                type.getSimpleName(),
                ClassSource.from(type),
                Type.CONTAINER,
                type.getName(),
                Set.of(),
                false,
                null,
                "");
    }

    /** Make a test that reports what is wrong with a mark. */
    static DeviceTestDescriptor misplaced(UniqueId id, MisplacedMark misplaced) {
        return new DeviceTestDescriptor(
                id,
                misplaced.displayName(),
                MethodSource.from(misplaced.type(), misplaced.method()),
                Type.TEST,
                misplaced.displayName(),
                Set.of(),
                false,
                DeviceTest.refused(id, misplaced.signature(), misplaced.problem()),
                "");
    }

    /** Mirror a test, template or factory as one variant; {@code suffix} distinguishes the variants. */
    static DeviceTestDescriptor test(TestDescriptor jupiter, UniqueId id, String suffix, DeviceTest test) {
        return new DeviceTestDescriptor(
                id,
                jupiter.getDisplayName() + suffix,
                jupiter.getSource().orElse(null),
                jupiter.getType(),
                jupiter.getLegacyReportingName() + suffix,
                jupiter.getTags(),
                jupiter.mayRegisterTests() || !jupiter.isTest(),
                test,
                suffix);
    }

    /** Make a node that a rank registered during the run. */
    public static DeviceTestDescriptor dynamic(
            UniqueId id,
            String displayName,
            @Nullable TestSource source,
            boolean isTest,
            String legacyName,
            Set<TestTag> tags,
            String suffix) {
        return new DeviceTestDescriptor(
                id, displayName, source, isTest ? Type.TEST : Type.CONTAINER, legacyName, tags, !isTest, null, suffix);
    }

    /** The planned test that this node represents; empty for a container and for a node registered during the run. */
    public Optional<DeviceTest> test() {
        return Optional.ofNullable(test);
    }

    /** Distinguishes this variant from others of the same test, as in {@code " [4 ranks]"}; empty if there is only one. */
    public String suffix() {
        return suffix;
    }

    /** Name the test for messages: class and method, and for an invocation also its display name. */
    public String title() {
        if (!(getSource().orElse(null) instanceof MethodSource method)) {
            return getDisplayName();
        }
        String className = method.getClassName();
        String name =
                className.substring(className.lastIndexOf('.') + 1).replace('$', '.') + "." + method.getMethodName();
        return test == null ? name + " " + getDisplayName() : name;
    }

    @Override
    public Type getType() {
        return type;
    }

    @Override
    public String getLegacyReportingName() {
        return legacyName;
    }

    @Override
    public Set<TestTag> getTags() {
        return tags;
    }

    @Override
    public boolean mayRegisterTests() {
        return mayRegisterTests;
    }
}
