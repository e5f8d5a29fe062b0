package org.rankunit.engine.discovery;

import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Map;
import java.util.Optional;
import org.junit.platform.commons.annotation.Testable;
import org.junit.platform.commons.support.AnnotationSupport;

/** Recognizes tests of other engines by the names of their annotations, since those classes may not be on the class path. */
final class ForeignTests {

    private static final String TESTNG = "org.testng.annotations.Test";

    /** Annotations that do not carry JUnit's {@link Testable}. */
    private static final Map<String, String> BY_NAME = Map.of("org.junit.Test", "JUnit 4", TESTNG, "TestNG");

    private static final String JUNIT3 = "junit.framework.TestCase";

    private ForeignTests() {}

    /** Describe which engine's test a method is, and why; empty if it is none. The caller knows that it is not Jupiter's. */
    static Optional<String> describe(Class<?> type, Method method) {
        for (Annotation annotation : method.getDeclaredAnnotations()) {
            Class<? extends Annotation> kind = annotation.annotationType();
            if (BY_NAME.containsKey(kind.getName()) || AnnotationSupport.isAnnotated(kind, Testable.class)) {
                return Optional.of("a test of " + engineOf(kind) + " (@" + kind.getName() + ")");
            }
        }
        boolean mayBeOne = Modifier.isPublic(method.getModifiers()) && !Modifier.isStatic(method.getModifiers());
        if (mayBeOne && isAnnotatedByName(method.getDeclaringClass(), TESTNG)) {
            return Optional.of("a test of TestNG (@" + TESTNG + " of its class)");
        }
        return mayBeOne && method.getName().startsWith("test") && extendsByName(type, JUNIT3)
                ? Optional.of("a test of JUnit 3 (" + JUNIT3 + ")")
                : Optional.empty();
    }

    private static String engineOf(Class<? extends Annotation> kind) {
        return kind.getName().startsWith("net.jqwik.")
                ? "jqwik"
                : BY_NAME.getOrDefault(kind.getName(), "another engine");
    }

    private static boolean isAnnotatedByName(AnnotatedElement element, String name) {
        for (Annotation annotation : element.getAnnotations()) {
            if (annotation.annotationType().getName().equals(name)) {
                return true;
            }
        }
        return false;
    }

    private static boolean extendsByName(Class<?> type, String name) {
        for (Class<?> c = type.getSuperclass(); c != null; c = c.getSuperclass()) {
            if (c.getName().equals(name)) {
                return true;
            }
        }
        return false;
    }
}
