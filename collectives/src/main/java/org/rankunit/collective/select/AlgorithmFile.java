package org.rankunit.collective.select;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.lang.reflect.InvocationTargetException;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apiguardian.api.API;
import org.rankunit.collective.CollectiveAlgorithm;
import org.rankunit.collective.algorithms.BuiltinAlgorithms;
import org.rankunit.collective.call.Collective;
import org.rankunit.collective.call.CollectiveCall;
import org.rankunit.collective.yaml.YamlMap;

/**
 * The algorithms that a {@code ccl.yaml} asks for:
 *
 * <pre>{@code
 * collectives:
 *   all-reduce: StagedRingAllReduce
 *   all-gather: org.example.MyRingAllGather
 * }</pre>
 *
 * <p>Each is one of the repertoire, or the class of another one. Collectives that are not there are left to the rules.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public final class AlgorithmFile {

    private static final String KEY = "collectives";

    private final Map<Collective, CollectiveAlgorithm> algorithms;

    private AlgorithmFile(Map<Collective, CollectiveAlgorithm> algorithms) {
        this.algorithms = algorithms;
    }

    /** Nothing is asked for. */
    public static AlgorithmFile none() {
        return new AlgorithmFile(Map.of());
    }

    /**
     * Read a file. Classes are found by the context class loader; other keys of the file, which are for processing elements, are not
     * looked at.
     *
     * @throws org.rankunit.collective.yaml.YamlException if it is not such a file; the message has the place and what is allowed there
     */
    public static AlgorithmFile read(Path file) {
        return of(YamlMap.read(file));
    }

    /**
     * Read a text.
     *
     * @param name of the file, for messages
     */
    public static AlgorithmFile parse(String name, String text) {
        return of(YamlMap.parse(name, text));
    }

    private static AlgorithmFile of(YamlMap file) {
        file.allow(KEY, "defaults", "algorithms");
        Map<Collective, CollectiveAlgorithm> algorithms = new EnumMap<>(Collective.class);
        Optional<YamlMap> asked = file.findMap(KEY);
        if (asked.isPresent()) {
            List<Collective> all = List.of(Collective.values());
            asked.get().allow(all.stream().map(Collective::toString).toArray(String[]::new));
            for (Collective each : all) {
                String key = each.toString();
                asked.get().findText(key).ifPresent(name -> algorithms.put(each, named(asked.get(), key, name, each)));
            }
        }
        return new AlgorithmFile(algorithms);
    }

    private static CollectiveAlgorithm named(YamlMap map, String key, String name, Collective collective) {
        CollectiveAlgorithm algorithm = ours(map, key, name).orElseGet(() -> ofClass(map, key, name));
        if (algorithm.collective() != collective) {
            throw map.error(key, name + " is an algorithm for " + algorithm.collective());
        }
        return algorithm;
    }

    private static Optional<CollectiveAlgorithm> ours(YamlMap map, String key, String name) {
        try {
            return BuiltinAlgorithms.named(name);
        } catch (IllegalArgumentException e) {
            throw map.error(key, "RankUnit has no algorithm " + name + ": " + e.getMessage());
        }
    }

    private static CollectiveAlgorithm ofClass(YamlMap map, String key, String name) {
        try {
            ClassLoader loader = Thread.currentThread().getContextClassLoader();
            return Class.forName(name, true, loader == null ? AlgorithmFile.class.getClassLoader() : loader)
                    .asSubclass(CollectiveAlgorithm.class)
                    .getDeclaredConstructor()
                    .newInstance();
        } catch (ClassNotFoundException | NoClassDefFoundError e) {
            throw map.error(key, "RankUnit has no algorithm " + name + ", and there is no such class");
        } catch (LinkageError e) {
            throw map.error(key, "class " + name + " cannot be loaded: " + e);
        } catch (ClassCastException e) {
            throw map.error(key, "class " + name + " is not a " + CollectiveAlgorithm.class.getSimpleName());
        } catch (InvocationTargetException e) {
            throw map.error(key, "the constructor of " + name + " failed: " + e.getCause());
        } catch (ReflectiveOperationException e) {
            throw map.error(key, "class " + name + " needs a public constructor without parameters");
        }
    }

    /**
     * Choose the algorithm that is asked for; empty if none is.
     *
     * @throws IllegalArgumentException if it does not apply to the call; the message has the reason
     */
    Optional<Selection> select(CollectiveCall call) {
        CollectiveAlgorithm algorithm = algorithms.get(call.collective());
        if (algorithm == null) {
            return Optional.empty();
        }
        algorithm.unsupportedReason(call).ifPresent(reason -> {
            throw new IllegalArgumentException(
                    "ccl.yaml asks for " + algorithm.name() + ", which does not apply to " + call + ": it " + reason);
        });
        return Optional.of(Selection.of(algorithm, "ccl.yaml asks for it"));
    }
}
