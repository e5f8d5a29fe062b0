package org.rankunit.engine.discovery;

import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestTemplate;
import org.junit.platform.commons.support.AnnotationSupport;
import org.rankunit.DeviceCount;
import org.rankunit.Platforms;

/**
 * A method that is marked to run on devices, itself or through its class, but never does: it is not a test at all, a lifecycle method,
 * or a test of another engine, which does not support ranks and would run it once, on no device.
 */
record MisplacedMark(Class<?> type, Method method, String problem) {

    private static final List<Class<? extends Annotation>> MARKS = List.of(DeviceCount.class, Platforms.class);
    private static final List<Class<? extends Annotation>> TESTS =
            List.of(Test.class, TestTemplate.class, TestFactory.class);
    private static final List<Class<? extends Annotation>> LIFECYCLE =
            List.of(BeforeAll.class, BeforeEach.class, AfterEach.class, AfterAll.class);

    /** Find the misplaced marks of a class and its superclasses. */
    static List<MisplacedMark> of(Class<?> type) {
        Optional<String> ofClass = markOfClass(type);
        List<MisplacedMark> found = new ArrayList<>();
        for (Class<?> c = type; c != null && c != Object.class; c = c.getSuperclass()) {
            for (Method method : c.getDeclaredMethods()) {
                // The cheap check comes first, since this looks at all methods of all test classes.
                boolean concerned = ofClass.isPresent() || method.getDeclaredAnnotations().length > 0;
                if (concerned && !method.isSynthetic() && firstOn(method, TESTS).isEmpty()) {
                    problemOf(type, method, ofClass)
                            .ifPresent(problem -> found.add(new MisplacedMark(type, method, problem)));
                }
            }
        }
        return found;
    }

    private static Optional<String> problemOf(Class<?> type, Method method, Optional<String> ofClass) {
        Optional<String> own = firstOn(method, MARKS).map(mark -> "@" + mark.getSimpleName());
        if (own.isEmpty() && ofClass.isEmpty()) {
            return Optional.empty();
        }
        String place = method.getDeclaringClass().getName() + "." + method.getName() + ": ";
        Optional<String> foreign = ForeignTests.describe(type, method);
        if (foreign.isPresent()) {
            return Optional.of(
                    place + own.or(() -> ofClass).orElseThrow() + " applies only to tests of JUnit Jupiter. This is "
                            + foreign.get() + ", which would run once, on no device."
                            + " Make it a Jupiter test (org.junit.jupiter.api.Test), or remove the annotation.");
        }
        Optional<Class<? extends Annotation>> lifecycle = firstOn(method, LIFECYCLE);
        return own.map(mark -> place
                + mark
                + (lifecycle.isPresent()
                        ? " has no effect on a lifecycle method (@"
                                + lifecycle.get().getSimpleName()
                                + "), which runs on the ranks of its tests. Put it on these tests or on their class."
                        : " has no effect on a method that is not a JUnit Jupiter test. Add @Test"
                                + " (org.junit.jupiter.api.Test), or remove the annotation."));
    }

    /** The mark of a class, or of one that encloses it: {@code @DeviceCount of org.example.ATest}. */
    private static Optional<String> markOfClass(Class<?> type) {
        for (Class<?> c = type; c != null; c = c.getEnclosingClass()) {
            Class<?> marked = c;
            Optional<String> mark =
                    firstOn(c, MARKS).map(found -> "@" + found.getSimpleName() + " of " + marked.getName());
            if (mark.isPresent() || Modifier.isStatic(c.getModifiers())) {
                return mark;
            }
        }
        return Optional.empty();
    }

    private static Optional<Class<? extends Annotation>> firstOn(
            AnnotatedElement element, List<Class<? extends Annotation>> types) {
        for (Class<? extends Annotation> each : types) {
            if (AnnotationSupport.isAnnotated(element, each)) {
                return Optional.of(each);
            }
        }
        return Optional.empty();
    }

    /** Name the method as Jupiter would name it as a test. */
    String displayName() {
        return method.getName() + "("
                + String.join(", ", parameterTypes(Class::getSimpleName).toList()) + ")";
    }

    /** A name that is unique within its class. */
    String signature() {
        return method.getDeclaringClass().getName() + "." + method.getName() + "("
                + String.join(", ", parameterTypes(Class::getTypeName).toList()) + ")";
    }

    private Stream<String> parameterTypes(Function<Class<?>, String> name) {
        return Arrays.stream(method.getParameterTypes()).map(name);
    }
}
