package org.rankunit.engine.discovery.declaration;

import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.platform.commons.support.AnnotationSupport;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.TestSource;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.rankunit.Buffer;
import org.rankunit.DeviceCount;
import org.rankunit.DeviceRuntime;
import org.rankunit.FreshRanks;
import org.rankunit.KernelArguments;
import org.rankunit.MinBusBandwidth;
import org.rankunit.Nodes;
import org.rankunit.Placement;
import org.rankunit.Platforms;
import org.rankunit.RankTimeout;
import org.rankunit.Rounds;
import org.rankunit.ShakeSchedule;
import org.rankunit.Window;
import org.rankunit.engine.config.Platform;
import org.rankunit.engine.protocol.ArgumentDeclaration;
import org.rankunit.engine.protocol.BufferDeclaration;
import org.rankunit.engine.protocol.TestDeclaration;

/**
 * Reads the annotations that apply to one test, and finds mistakes in them.
 *
 * <p>It looks for them on the method, on its class with superclasses and interfaces, and on the enclosing classes in Jupiter's
 * tree, from the inside out; the first one found applies. Buffers accumulate, from the outside in. This is the only place that
 * reads annotations of device tests: a new annotation is read here into {@link TestDeclaration}. Stateless.
 */
public final class DeclarationReader {

    private static final long MAX_TIMEOUT_DAYS = 20;

    private DeclarationReader() {}

    /** Read the declaration of a leaf of Jupiter's tree; empty if it is an ordinary test. */
    public static Optional<DeclaredTest> of(TestDescriptor leaf) {
        List<AnnotatedElement> elements = elementsOf(leaf);
        Optional<DeviceCount> count = first(elements, DeviceCount.class);
        if (count.isEmpty() && first(elements, Platforms.class).isEmpty()) {
            return Optional.empty();
        }
        List<Integer> counts = Arrays.stream(count.map(DeviceCount::value).orElse(new int[] {1}))
                .sorted()
                .boxed()
                .toList();
        TestDeclaration declaration = declarationOf(elements);
        return Optional.of(new DeclaredTest(
                declaration,
                counts,
                first(elements, DeviceRuntime.class)
                        .map(runtime -> List.of(runtime.value()))
                        .orElse(List.of("")),
                first(elements, ShakeSchedule.class)
                        .map(DeclarationReader::shakesOf)
                        .orElse(List.of()),
                count.map(DeviceCount::adjustable).orElse(false),
                problemOf(elements, counts, declaration)));
    }

    private static List<TestDeclaration.Shake> shakesOf(ShakeSchedule schedule) {
        return IntStream.rangeClosed(1, Math.min(schedule.seeds(), ShakeSchedule.MAX))
                .mapToObj(seed -> new TestDeclaration.Shake(schedule.strategy(), seed, seed, schedule.seeds()))
                .toList();
    }

    /** Everything except the number of ranks, the runtime and the seed, since a test may declare several of these. */
    private static TestDeclaration declarationOf(List<AnnotatedElement> elements) {
        return new TestDeclaration(
                placeOf(elements.get(0)),
                0,
                first(elements, Nodes.class).map(Nodes::value).orElse(0),
                first(elements, DeviceCount.class)
                        .map(DeviceCount::communicator)
                        .orElse(true),
                first(elements, Platforms.class).map(p -> List.of(p.value())).orElse(List.of()),
                buffersOf(elements),
                first(elements, KernelArguments.class)
                        .map(DeclaredArguments::of)
                        .orElse(List.of()),
                first(elements, Window.class).map(Window::syncPrefix).orElse(0),
                "",
                first(elements, FreshRanks.class).isPresent() ? placeOf(elements, FreshRanks.class) : null,
                first(elements, RankTimeout.class)
                        .map(DeclarationReader::millisecondsOf)
                        .orElse(0L),
                first(elements, Rounds.class).map(DeclaredRounds::of).orElse(TestDeclaration.Rounds.ONCE),
                null,
                DeclaredGoldens.of(elements, DeclarationReader::placeOf),
                first(elements, MinBusBandwidth.class)
                        .map(MinBusBandwidth::value)
                        .orElse(0.0));
    }

    private static @Nullable String problemOf(
            List<AnnotatedElement> elements, List<Integer> counts, TestDeclaration declaration) {
        return firstProblem(
                problemOfCounts(counts, placeOf(elements, DeviceCount.class)),
                first(elements, Nodes.class)
                        .map(nodes -> problemOfNodes(nodes.value(), counts, placeOf(elements, Nodes.class)))
                        .orElse(null),
                first(elements, Platforms.class)
                        .map(p -> problemOfPlatforms(p.value(), placeOf(elements, Platforms.class)))
                        .orElse(null),
                problemOfBuffers(declaration.buffers()),
                declaration.syncPrefix() < 0
                        ? placeOf(elements, Window.class) + ": @Window(syncPrefix = " + declaration.syncPrefix()
                                + ") is negative. Give the number of bytes to keep free, 0 or more."
                        : null,
                first(elements, DeviceRuntime.class)
                        .map(r -> problemOfRuntimes(r.value(), placeOf(elements, DeviceRuntime.class)))
                        .orElse(null),
                first(elements, KernelArguments.class)
                        .map(a -> DeclaredArguments.problemOf(
                                a, declaration.buffers(), placeOf(elements, KernelArguments.class)))
                        .orElse(null),
                declaration.communicator() ? null : problemWithoutCommunicator(elements, declaration),
                first(elements, RankTimeout.class)
                        .map(t -> problemOfTimeout(t, placeOf(elements, RankTimeout.class)))
                        .orElse(null),
                first(elements, Rounds.class)
                        .map(r -> DeclaredRounds.problemOf(
                                r, declaration.buffers(), elements.get(0), placeOf(elements, Rounds.class)))
                        .orElse(null),
                DeclaredGoldens.problemOf(elements, declaration, DeclarationReader::placeOf),
                first(elements, MinBusBandwidth.class)
                        .map(b -> problemOfBandwidth(b.value(), placeOf(elements, MinBusBandwidth.class)))
                        .orElse(null),
                first(elements, ShakeSchedule.class)
                        .map(s -> problemOfSeeds(s.seeds(), placeOf(elements, ShakeSchedule.class)))
                        .orElse(null));
    }

    /** A placeholder for an ordinary test that cannot run as it is. */
    public static DeclaredTest mistaken(Method method, String problem) {
        String place = placeOf(method);
        return new DeclaredTest(
                TestDeclaration.plain(place, 0), List.of(1), List.of(""), List.of(), false, place + problem);
    }

    /** The elements whose annotations apply to a leaf, the nearest first. */
    public static List<AnnotatedElement> elementsOf(TestDescriptor leaf) {
        List<AnnotatedElement> elements = new ArrayList<>();
        for (TestDescriptor d = leaf; d != null; d = d.getParent().orElse(null)) {
            TestSource source = d.getSource().orElse(null);
            if (source instanceof MethodSource method) {
                elements.add(method.getJavaMethod());
                if (!(d.getParent().flatMap(TestDescriptor::getSource).orElse(null) instanceof ClassSource)) {
                    elements.add(method.getJavaClass());
                }
            } else if (source instanceof ClassSource type) {
                elements.add(type.getJavaClass());
            }
        }
        return elements;
    }

    static <A extends Annotation> Optional<A> first(List<AnnotatedElement> elements, Class<A> type) {
        for (AnnotatedElement element : elements) {
            Optional<A> found = AnnotationSupport.findAnnotation(element, type);
            if (found.isPresent()) {
                return found;
            }
        }
        return Optional.empty();
    }

    private static List<BufferDeclaration> buffersOf(List<AnnotatedElement> elements) {
        List<BufferDeclaration> buffers = new ArrayList<>();
        for (int i = elements.size() - 1; i >= 0; i--) {
            AnnotatedElement element = elements.get(i);
            buffers.addAll(
                    element instanceof Class<?> type
                            ? DeclaredBuffers.ofClass(type)
                            : DeclaredBuffers.of(element, placeOf(element)));
        }
        return buffers;
    }

    private static String placeOf(List<AnnotatedElement> elements, Class<? extends Annotation> type) {
        return elements.stream()
                .filter(e -> AnnotationSupport.isAnnotated(e, type))
                .findFirst()
                .map(DeclarationReader::placeOf)
                .orElse("");
    }

    private static String placeOf(AnnotatedElement element) {
        return element instanceof Method method
                ? method.getDeclaringClass().getName() + "." + method.getName()
                : ((Class<?>) element).getName();
    }

    private static @Nullable String firstProblem(@Nullable String... problems) {
        for (String problem : problems) {
            if (problem != null) {
                return problem;
            }
        }
        return null;
    }

    private static @Nullable String problemOfCounts(List<Integer> sorted, String place) {
        String list = sorted.stream().map(String::valueOf).collect(Collectors.joining(", "));
        String shown = place + ": @DeviceCount(" + (sorted.size() == 1 ? list : "{" + list + "}") + ")";
        if (sorted.isEmpty()) {
            return shown + " names no number of ranks. Give at least one, from 1 to " + DeviceCount.MAX + ".";
        }
        for (int i = 0; i < sorted.size(); i++) {
            int count = sorted.get(i);
            if (count < 1 || count > DeviceCount.MAX) {
                return shown + ": a test cannot run on " + count + " ranks. Give numbers from 1 to " + DeviceCount.MAX
                        + ".";
            }
            if (i > 0 && count == sorted.get(i - 1)) {
                return shown + " names " + count + " twice. Give each number once.";
            }
        }
        return null;
    }

    static @Nullable String problemOfNodes(int nodes, List<Integer> counts, String place) {
        String shown = place + ": @Nodes(" + nodes + ")";
        if (nodes < 1) {
            return shown + " is not a number of nodes. Give 1 or more.";
        }
        return counts.stream()
                .filter(count -> count % nodes != 0)
                .findFirst()
                .map(count -> shown + " cannot divide " + count + (count == 1 ? " rank" : " ranks")
                        + " evenly. Give a number of nodes that divides each number of @DeviceCount.")
                .orElse(null);
    }

    /** What is declared of the window or of the communicator's context does not exist without a communicator. */
    private static @Nullable String problemWithoutCommunicator(
            List<AnnotatedElement> elements, TestDeclaration declaration) {
        String advice = ", and @DeviceCount(communicator = false) on " + placeOf(elements, DeviceCount.class)
                + " leaves the test without a communicator. Remove communicator = false, or ";
        for (BufferDeclaration buffer : declaration.buffers()) {
            if (buffer.placement() == Placement.WINDOW) {
                return buffer.place() + ": @Buffer(name = \"" + buffer.name() + "\") is in the window" + advice
                        + "put the buffer into device memory (placement = DEVICE).";
            }
        }
        if (declaration.syncPrefix() > 0) {
            return placeOf(elements, Window.class) + ": @Window(syncPrefix = " + declaration.syncPrefix()
                    + ") applies to the window" + advice + "leave @Window out.";
        }
        String context = ArgumentDeclaration.Token.DEVICE_CONTEXT.text();
        return declaration.arguments().stream()
                        .anyMatch(argument -> argument.name().equals(context))
                ? placeOf(elements, KernelArguments.class) + ": @KernelArguments names \"" + context
                        + "\", the context of the communicator" + advice + "leave that argument out."
                : null;
    }

    /** At least 1, since 0 means that there is no annotation. */
    private static long millisecondsOf(RankTimeout timeout) {
        return Math.max(1, timeout.unit().toMillis(timeout.value()));
    }

    private static @Nullable String problemOfTimeout(RankTimeout timeout, String place) {
        return timeout.value() > 0 && timeout.unit().toDays(timeout.value()) < MAX_TIMEOUT_DAYS
                ? null
                : place + ": @RankTimeout(value = " + timeout.value() + ", unit = " + timeout.unit()
                        + ") is not a time that a test can take. Give one that is more than zero and less than "
                        + MAX_TIMEOUT_DAYS + " days.";
    }

    private static @Nullable String problemOfSeeds(int seeds, String place) {
        return seeds >= 1 && seeds <= ShakeSchedule.MAX
                ? null
                : place + ": @ShakeSchedule(seeds = " + seeds + ") is not a number of seeds. Give one from 1 to "
                        + ShakeSchedule.MAX + ".";
    }

    private static @Nullable String problemOfBandwidth(double value, String place) {
        return value > 0 && Double.isFinite(value)
                ? null
                : place + ": @MinBusBandwidth(" + value + ") is not a bandwidth. Give a number of GB/s above 0.";
    }

    private static @Nullable String problemOfPlatforms(String[] names, String place) {
        if (names.length == 0) {
            return place + ": @Platforms names no platform. Give at least one of " + Platform.known()
                    + ", or leave the annotation out for any.";
        }
        Set<String> seen = new HashSet<>();
        for (String name : names) {
            if (Platform.named(name).isEmpty()) {
                return place + ": @Platforms(\"" + name + "\"): there is no such platform. Give one of "
                        + Platform.known() + ".";
            }
            if (!seen.add(name)) {
                return place + ": @Platforms names \"" + name + "\" twice. Give each platform once.";
            }
        }
        return null;
    }

    private static @Nullable String problemOfRuntimes(String[] names, String place) {
        if (names.length == 0) {
            return place + ": @DeviceRuntime names no runtime. Give at least one, or leave the annotation out.";
        }
        Set<String> seen = new HashSet<>();
        for (String name : names) {
            if (name.isBlank()) {
                return place + ": @DeviceRuntime has a blank name. Give that of the runtime.";
            }
            if (!seen.add(name)) {
                return place + ": @DeviceRuntime names \"" + name + "\" twice. Give each runtime once.";
            }
        }
        return null;
    }

    private static @Nullable String problemOfBuffers(List<BufferDeclaration> buffers) {
        Map<String, BufferDeclaration> byName = new HashMap<>();
        for (BufferDeclaration buffer : buffers) {
            String shown = buffer.place() + ": @Buffer(name = \"" + buffer.name() + "\")";
            if (buffer.name().isBlank()) {
                return shown + " has no name. Give one that is not blank.";
            }
            boolean shaped = !buffer.shape().isEmpty();
            if (shaped && DeclaredBuffers.product(buffer.shape()) == 0) {
                return shown + " has shape = " + buffer.shape()
                        + ". Each extent is at least 1, and their product at most " + Integer.MAX_VALUE + ".";
            }
            if (buffer.count() < 1) {
                return shown + " has count = " + buffer.count() + ". A buffer has at least 1 element.";
            }
            if (shaped && DeclaredBuffers.product(buffer.shape()) != buffer.count()) {
                return shown + " has count = " + buffer.count() + " and shape = " + buffer.shape() + ", which has "
                        + DeclaredBuffers.product(buffer.shape()) + " elements. Leave out one, or make them agree.";
            }
            if (buffer.unverified() && buffer.role() != Buffer.Role.OUTPUT) {
                return shown + " has unverified = true and role = " + buffer.role()
                        + ". Only an OUTPUT must be verified.";
            }
            BufferDeclaration other = byName.put(buffer.name(), buffer);
            if (other != null) {
                return shown + ": the name is taken by another buffer of this test, declared on " + other.place()
                        + ". Names of buffers are unique within a test.";
            }
        }
        return null;
    }
}
