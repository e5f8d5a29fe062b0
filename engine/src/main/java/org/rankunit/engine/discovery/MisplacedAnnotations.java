package org.rankunit.engine.discovery;

import java.lang.reflect.Modifier;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.junit.platform.commons.JUnitException;
import org.junit.platform.commons.support.ReflectionSupport;
import org.junit.platform.engine.EngineDiscoveryRequest;
import org.junit.platform.engine.Filter;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.UniqueId;
import org.junit.platform.engine.discovery.ClassNameFilter;
import org.junit.platform.engine.discovery.ClassSelector;
import org.junit.platform.engine.discovery.ClasspathRootSelector;
import org.junit.platform.engine.discovery.MethodSelector;
import org.junit.platform.engine.discovery.ModuleSelector;
import org.junit.platform.engine.discovery.PackageNameFilter;
import org.junit.platform.engine.discovery.PackageSelector;
import org.junit.platform.engine.discovery.UniqueIdSelector;

/**
 * Adds a failing test for each {@link MisplacedMark} of a request, also in classes that Jupiter does not know. Otherwise the method
 * would pass on no device, or be ignored, and the build would pass.
 */
final class MisplacedAnnotations {

    private final Selection selection;
    private final MarkedClasses marked;
    private final Set<Class<?>> seen = new HashSet<>();

    MisplacedAnnotations(Selection selection, MarkedClasses marked) {
        this.selection = selection;
        this.marked = marked;
    }

    /** Add the selected ones of one class below its container; only the first call for a class has an effect. */
    void add(Class<?> type, TestDescriptor container) {
        if (!seen.add(type)) {
            return;
        }
        for (MisplacedMark misplaced : marksOf(type)) {
            UniqueId id = TestIds.misplaced(container.getUniqueId(), type, misplaced.signature());
            DeviceTestDescriptor test = DeviceTestDescriptor.misplaced(id, misplaced);
            container.addChild(test);
            if (selection.of(test, id).isEmpty()) {
                container.removeChild(test);
            }
        }
    }

    /** Add those of a class that has no container in this engine's tree. */
    void addApart(Class<?> type, TestDescriptor engine) {
        addBelow(type, TestIds.ofClass(engine.getUniqueId(), type), engine);
    }

    private void addBelow(Class<?> type, UniqueId id, TestDescriptor engine) {
        if (!seen.contains(type) && !marksOf(type).isEmpty()) {
            TestDescriptor container = containerOf(id, type, engine);
            add(type, container);
            for (TestDescriptor c = container; c.getChildren().isEmpty() && c != engine; ) {
                TestDescriptor empty = c;
                c = c.getParent().orElse(engine);
                c.removeChild(empty);
            }
        }
    }

    /** Find or make the container of this id, and its parents, which represent the enclosing classes. */
    private static TestDescriptor containerOf(UniqueId id, Class<?> type, TestDescriptor engine) {
        UniqueId around = id.removeLastSegment();
        Class<?> enclosing = type.getEnclosingClass();
        TestDescriptor parent = around.equals(engine.getUniqueId()) || enclosing == null
                ? engine
                : containerOf(around, enclosing, engine);
        return parent.getChildren().stream()
                .filter(child -> child.getUniqueId().equals(id))
                .map(TestDescriptor.class::cast)
                .findFirst()
                .orElseGet(() -> {
                    TestDescriptor made = DeviceTestDescriptor.container(id, type);
                    parent.addChild(made);
                    return made;
                });
    }

    /** Add those of the classes that a request names or contains and that have not been examined yet. */
    void addOthers(EngineDiscoveryRequest request, TestDescriptor engine) {
        request.getSelectorsByType(ClassSelector.class)
                .forEach(selector -> loaded(selector::getJavaClass).ifPresent(type -> addOther(type, engine)));
        request.getSelectorsByType(MethodSelector.class)
                .forEach(selector -> loaded(selector::getJavaClass).ifPresent(type -> addOther(type, engine)));
        for (UniqueIdSelector selector : request.getSelectorsByType(UniqueIdSelector.class)) {
            UniqueId id = selector.getUniqueId();
            TestIds.classOfMisplaced(id)
                    .flatMap(name -> ReflectionSupport.tryToLoadClass(name).toOptional())
                    .ifPresent(type -> addBelow(type, id.removeLastSegment(), engine));
        }
        inContainers(request).forEach(type -> addOther(type, engine));
    }

    private void addOther(Class<?> type, TestDescriptor engine) {
        if (!Modifier.isAbstract(type.getModifiers())) {
            addApart(type, engine);
        }
    }

    private List<Class<?>> inContainers(EngineDiscoveryRequest request) {
        Predicate<String> names = Filter.<String>composeFilters(request.getFiltersByType(ClassNameFilter.class))
                .toPredicate();
        Predicate<String> packages = Filter.<String>composeFilters(request.getFiltersByType(PackageNameFilter.class))
                .toPredicate();
        Predicate<Class<?>> others = type -> !seen.contains(type) && packages.test(type.getPackageName());
        Set<Class<?>> found = new LinkedHashSet<>();
        request.getSelectorsByType(ClasspathRootSelector.class)
                .forEach(root -> found.addAll(
                        ReflectionSupport.findAllClassesInClasspathRoot(root.getClasspathRoot(), others, names)));
        request.getSelectorsByType(PackageSelector.class)
                .forEach(each ->
                        found.addAll(ReflectionSupport.findAllClassesInPackage(each.getPackageName(), others, names)));
        request.getSelectorsByType(ModuleSelector.class)
                .forEach(each ->
                        found.addAll(ReflectionSupport.findAllClassesInModule(each.getModuleName(), others, names)));
        return List.copyOf(found);
    }

    private static Optional<Class<?>> loaded(Supplier<Class<?>> type) {
        try {
            return Optional.of(type.get());
        } catch (JUnitException e) {
            // Jupiter was asked for the same class and has reported the problem.
            return Optional.empty();
        }
    }

    private List<MisplacedMark> marksOf(Class<?> type) {
        try {
            return marked.mayHold(type) ? MisplacedMark.of(type) : List.of();
        } catch (LinkageError e) {
            // The engine that runs a class with missing dependencies reports them.
            return List.of();
        }
    }
}
