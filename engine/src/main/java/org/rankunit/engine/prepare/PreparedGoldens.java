package org.rankunit.engine.prepare;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.rankunit.engine.compile.cache.KernelCache;
import org.rankunit.engine.plan.ClassPlan;
import org.rankunit.engine.plan.GroupPlan;
import org.rankunit.engine.plan.PlannedTest;
import org.rankunit.engine.prepare.model.GoldenException;
import org.rankunit.engine.protocol.TestSelection;
import org.rankunit.engine.protocol.Variant;

/**
 * The goldens of a run: what models give, and files. A thread of its own makes those of all tests ahead, in the order of the plan; code that
 * needs some that are not ready makes them itself, or waits. Thread-safe.
 */
public final class PreparedGoldens implements AutoCloseable {

    private static final int MAX_CHARS = 120;
    private static final int HASH_CHARS = 8;

    private final GoldenSettings settings;
    private final Models models;
    private final ModelGoldens modelled;
    private final Map<String, FutureTask<Outcome>> outcomes = new ConcurrentHashMap<>();
    private final Thread ahead;

    /**
     * Either goldens, or why there are none.
     *
     * @param modelled where goldens of a model come from
     */
    private record Outcome(
            TestSelection.@Nullable Goldens goldens,
            ModelGoldens.@Nullable Ready modelled,
            @Nullable String problem) {}

    /**
     * Start to make the goldens of these plans.
     *
     * @param models computes models; closed with this
     */
    public PreparedGoldens(GoldenSettings settings, Models models, List<ClassPlan> plans) {
        this.settings = settings;
        this.models = models;
        this.modelled = new ModelGoldens(settings, models);
        List<GroupPlan> groups = plans.stream()
                .flatMap(plan -> plan.groups().stream())
                .filter(PreparedGoldens::hasGoldens)
                .toList();
        this.ahead = new Thread(() -> groups.forEach(this::make), "rankunit-goldens");
        ahead.setDaemon(true);
        if (!groups.isEmpty()) {
            ahead.start();
        }
    }

    private static boolean hasGoldens(GroupPlan plan) {
        return plan.tests().stream().anyMatch(PreparedGoldens::hasGoldens);
    }

    private static boolean hasGoldens(PlannedTest test) {
        return test.test().declaration().goldens() != null;
    }

    private void make(GroupPlan plan) {
        for (PlannedTest test : plan.tests()) {
            if (hasGoldens(test) && !Thread.currentThread().isInterrupted()) {
                taskOf(plan, test).run();
            }
        }
    }

    private static String keyOf(GroupPlan plan, String jupiterId) {
        return plan.title() + " " + jupiterId;
    }

    private FutureTask<Outcome> taskOf(GroupPlan plan, PlannedTest test) {
        return outcomes.computeIfAbsent(
                keyOf(plan, test.test().jupiterId()), key -> new FutureTask<>(() -> outcomeOf(plan, test)));
    }

    /** Whether the goldens of a group's tests are all there, so that {@link #problems} does not wait. */
    public boolean areReady(GroupPlan plan) {
        return plan.tests().stream()
                .filter(PreparedGoldens::hasGoldens)
                .allMatch(test -> taskOf(plan, test).isDone());
    }

    /**
     * Wait for the goldens of a group's tests. The limits of models bound the wait.
     *
     * @return why there are none for some tests, by their ids
     * @throws InterruptedException if this thread was interrupted
     */
    public Map<PlannedTest, String> problems(GroupPlan plan) throws InterruptedException {
        Map<PlannedTest, String> problems = new LinkedHashMap<>();
        for (PlannedTest test : plan.tests()) {
            if (hasGoldens(test)) {
                String problem = awaited(taskOf(plan, test)).problem();
                if (problem != null) {
                    problems.put(test, problem);
                }
            }
        }
        return problems;
    }

    private static Outcome awaited(FutureTask<Outcome> task) throws InterruptedException {
        task.run();
        try {
            return task.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof InterruptedException) {
                throw new InterruptedException("interrupted while a golden was computed");
            }
            throw new IllegalStateException("computing a golden failed", e.getCause());
        }
    }

    private Outcome outcomeOf(GroupPlan plan, PlannedTest test) throws InterruptedException {
        Variant variant = new Variant(test.test().declaration(), plan.platform().id(), settings.parameters());
        String actual = settings.outputFolder()
                .resolve("actual")
                .resolve(folderName(
                        test.node().title() + " " + plan.title(), test.test().jupiterId()))
                .toString();
        try {
            removeActual(actual);
            if (variant.source().perInvocation()) {
                return new Outcome(ofInvocations(variant, actual), null, null);
            }
            if (variant.source().isFiles()) {
                return new Outcome(new FileGoldens(settings, variant).of(actual), null, null);
            }
            ModelGoldens.Ready ready = modelled.of(variant, actual);
            return new Outcome(ready.goldens(), ready, null);
        } catch (GoldenException e) {
            return new Outcome(null, null, e.getMessage());
        }
    }

    /** Ranks compute them. */
    private static TestSelection.Goldens ofInvocations(Variant variant, String actual) {
        return new TestSelection.Goldens(variant.source().check(), "", List.of(), "", List.of(), actual, false);
    }

    /** Those of an earlier run; the folders of invocations begin with the same name. */
    private static void removeActual(String actual) throws GoldenException {
        Path folder = Path.of(actual);
        Path parent = Objects.requireNonNull(folder.getParent());
        if (!Files.isDirectory(parent)) {
            return;
        }
        try (Stream<Path> all = Files.list(parent)) {
            String name = String.valueOf(folder.getFileName());
            for (Path each : all.filter(p -> String.valueOf(p.getFileName()).startsWith(name))
                    .toList()) {
                KernelCache.remove(each);
            }
        } catch (IOException e) {
            throw new GoldenException("the outputs of an earlier run cannot be removed: " + e.getMessage(), e);
        }
    }

    /** Add to tests of a group what {@link #problems} has waited for. */
    public List<TestSelection> with(GroupPlan plan, List<TestSelection> tests) {
        return tests.stream()
                .map(test -> test.with(goldensToUse(plan, test.uniqueId())))
                .toList();
    }

    private TestSelection.@Nullable Goldens goldensToUse(GroupPlan plan, String jupiterId) {
        Outcome outcome = outcomeOf(plan, jupiterId);
        if (outcome != null && outcome.modelled() != null) {
            outcome.modelled().markUsed();
        }
        return outcome == null ? null : outcome.goldens();
    }

    private @Nullable Outcome outcomeOf(GroupPlan plan, String jupiterId) {
        FutureTask<Outcome> task = outcomes.get(keyOf(plan, jupiterId));
        try {
            return task == null || !task.isDone() ? null : awaited(task);
        } catch (InterruptedException e) {
            // Another thread was, while it made them: there are none, and the run ends.
            Thread.currentThread().interrupt();
            return null;
        }
    }

    /**
     * Keep or remove the actual outputs of a test that has ended, or make them its golden files.
     *
     * @param uniqueId its id in the ranks
     * @return lines for its failure, or about new golden files
     */
    public List<String> ended(GroupPlan plan, String uniqueId, boolean failed) {
        for (PlannedTest test : plan.tests()) {
            String id = test.test().jupiterId();
            Outcome outcome = outcomeOf(plan, id);
            TestSelection.Goldens goldens = outcome == null ? null : outcome.goldens();
            if (outcome != null && goldens != null && (uniqueId.equals(id) || uniqueId.startsWith(id + "/"))) {
                try {
                    return ended(goldens, goldens.actualOf(id, uniqueId), failed, outcome.modelled());
                } catch (IOException | UncheckedIOException e) {
                    return List.of("the actual outputs are not complete: " + e);
                }
            }
        }
        return List.of();
    }

    private static List<String> ended(
            TestSelection.Goldens goldens, Path actual, boolean failed, ModelGoldens.@Nullable Ready modelled)
            throws IOException {
        if (!Files.isDirectory(actual)) {
            return List.of();
        } else if (failed) {
            String line = "actual outputs: " + actual;
            return modelled == null || modelled.kept().isEmpty() ? List.of(line) : List.of(line, modelled.kept());
        }
        if (goldens.update()) {
            publish(actual, Path.of(goldens.outputFolder()));
        }
        KernelCache.remove(actual);
        return goldens.update() ? List.of("golden updated, not verified: " + goldens.outputFolder()) : List.of();
    }

    private static void publish(Path actual, Path goldens) throws IOException {
        try (Stream<Path> files = Files.walk(actual)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Path golden = goldens.resolve(actual.relativize(file));
                Path folder = Objects.requireNonNull(golden.getParent());
                Files.createDirectories(folder);
                String stem = String.valueOf(golden.getFileName()).replaceAll("\\.npy$", "");
                Files.deleteIfExists(folder.resolve(stem + ".npz"));
                Files.deleteIfExists(folder.resolve(stem + ".bin"));
                Path fresh = folder.resolve("." + golden.getFileName() + ".new");
                Files.copy(file, fresh, StandardCopyOption.REPLACE_EXISTING);
                Files.move(fresh, golden, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            }
        }
    }

    /** For people, and different for different tests. */
    private static String folderName(String title, String uniqueId) {
        String readable = title.replaceAll("[^A-Za-z0-9._-]+", "-").replaceAll("-+$", "");
        String hash = UUID.nameUUIDFromBytes((title + uniqueId).getBytes(StandardCharsets.UTF_8))
                .toString()
                .substring(0, HASH_CHARS);
        return readable.substring(0, Math.min(MAX_CHARS, readable.length())) + "-" + hash;
    }

    @Override
    public void close() {
        ahead.interrupt();
        models.close();
    }
}
