package org.rankunit.rules;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.ArchConfiguration;
import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaAnnotation;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Tags;
import org.junit.jupiter.api.Test;

/**
 * The groups of tests, by which {@code ./test.sh} chooses. Compiled into the tests of each module, and looks at these.
 *
 * <ul>
 *   <li>{@code unit}: starts no process
 *   <li>{@code ranks}: starts ranks or other processes, or takes more than some seconds
 *   <li>{@code slurm}: needs Slurm
 *   <li>{@code downstream}: a test as users have it, over the finished engine
 * </ul>
 */
@Tag("unit")
class TestGroupsTest {

    private static final Set<String> GROUPS = Set.of("unit", "ranks", "slurm", "downstream");

    private static final JavaClasses TESTS = tests();

    /** Other names that Surefire takes for tests are those of fixtures here. */
    private static final DescribedPredicate<JavaClass> IS_TEST = DescribedPredicate.describe(
            "are named as tests",
            type -> type.getSimpleName().matches(".*Test")
                    && type.getEnclosingClass().isEmpty()
                    && !type.isInterface()
                    && !type.getModifiers().contains(JavaModifier.ABSTRACT));

    private static JavaClasses tests() {
        ClassFileImporter importer = new ClassFileImporter();
        JavaClasses[] found = new JavaClasses[1];
        ArchConfiguration.withThreadLocalScope(configuration -> {
            // What the tests use of the class path is not looked into, and takes most of the time.
            configuration.setResolveMissingDependenciesFromClassPath(false);
            found[0] = importer.importPath(Path.of("target", "test-classes"));
        });
        return found[0];
    }

    @Test
    void everyTestBelongsToExactlyOneGroup() {
        assertThat(TESTS.stream().filter(IS_TEST)).hasSizeGreaterThan(1);
        classes()
                .that(IS_TEST)
                .should(new ArchCondition<>("have exactly one of the tags " + GROUPS) {
                    @Override
                    public void check(JavaClass type, ConditionEvents events) {
                        List<String> groups = groupsOf(type);
                        events.add(new SimpleConditionEvent(
                                type, groups.size() == 1, type.getName() + " has the groups " + groups));
                    }
                })
                .check(TESTS);
    }

    @Test
    void unitTestsStartNoProcess() {
        classes()
                .that(IS_TEST)
                .should(new ArchCondition<>("start no process, if they are unit tests") {
                    @Override
                    public void check(JavaClass type, ConditionEvents events) {
                        if (groupsOf(type).contains("unit")) {
                            Set<String> starts = new HashSet<>();
                            reachable(type).forEach(used -> startsOf(used).forEach(starts::add));
                            events.add(new SimpleConditionEvent(
                                    type, starts.isEmpty(), type.getName() + " is a unit test: " + starts));
                        }
                    }
                })
                .check(TESTS);
    }

    private static List<String> groupsOf(JavaClass type) {
        return tagsOf(type).filter(GROUPS::contains).distinct().toList();
    }

    /** As Jupiter finds them: those of superclasses too. */
    private static Stream<String> tagsOf(JavaClass type) {
        return Stream.concat(Stream.of(type), type.getAllRawSuperclasses().stream())
                .flatMap(each -> each.getAnnotations().stream())
                .flatMap(annotation -> tagsOf(annotation, 2));
    }

    private static Stream<String> tagsOf(JavaAnnotation<?> annotation, int depth) {
        if (annotation.getRawType().isEquivalentTo(Tag.class)) {
            return annotation.get("value").map(Object::toString).stream();
        }
        if (annotation.getRawType().isEquivalentTo(Tags.class)) {
            return Stream.of((JavaAnnotation<?>[]) annotation.get("value").orElseThrow())
                    .flatMap(tag -> tagsOf(tag, depth));
        }
        return depth == 0
                ? Stream.empty()
                : annotation.getRawType().getAnnotations().stream().flatMap(meta -> tagsOf(meta, depth - 1));
    }

    /** The class, and those of the tests that it uses, directly or through others. */
    private static Set<JavaClass> reachable(JavaClass type) {
        Set<JavaClass> found = new HashSet<>();
        Deque<JavaClass> open = new ArrayDeque<>(List.of(type));
        while (!open.isEmpty()) {
            JavaClass next = open.pop();
            if (found.add(next)) {
                next.getDirectDependenciesFromSelf().stream()
                        .map(Dependency::getTargetClass)
                        .filter(TESTS::contains)
                        .forEach(open::push);
            }
        }
        return found;
    }

    private static Stream<String> startsOf(JavaClass type) {
        return type.getMethodCallsFromSelf().stream()
                .filter(call -> isCall(call, ProcessBuilder.class, "start") || isCall(call, Runtime.class, "exec"))
                .map(JavaMethodCall::getDescription);
    }

    private static boolean isCall(JavaMethodCall call, Class<?> owner, String method) {
        return call.getTargetOwner().isEquivalentTo(owner)
                && call.getTarget().getName().equals(method);
    }
}
