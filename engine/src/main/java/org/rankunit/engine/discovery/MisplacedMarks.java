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
 * Adds a test that fails for each {@link MisplacedMark} of a request, also in classes of which Jupiter knows nothing: else it passes on
 * no device, or is ignored, and the build is green.
 */
final class MisplacedMarks {

    private final Selection selection;
    private final MarkedClasses marked;
    private final Set<Class<?>> seen = new HashSet<>();

    MisplacedMarks(Selection selection, MarkedClasses marked) {
        this.selection = selection;
        this.marked = marked;
    }

    /** Add those of one class below its container, as far as they are selected; once for each class. */
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

    /** The same for a class that has no container in this engine's tree. */
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

    /** Find or make the container of this id, and those around it, which stand for the classes around its class. */
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

    /** Add those of the classes that a request names or contains, and that nobody has looked at yet. */
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
            // Jupiter, which was asked for the same class, has told of it.
            return Optional.empty();
        }
    }

    private List<MisplacedMark> marksOf(Class<?> type) {
        try {
            return marked.mayHold(type) ? MisplacedMark.of(type) : List.of();
        } catch (LinkageError e) {
            // A class of which a part is missing is told of by whoever runs it.
            return List.of();
        }
    }
}
