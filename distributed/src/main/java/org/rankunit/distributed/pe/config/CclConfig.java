package org.rankunit.distributed.pe.config;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.lang.reflect.InvocationTargetException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apiguardian.api.API;
import org.rankunit.collective.yaml.YamlMap;
import org.rankunit.distributed.pe.MemorySpace;
import org.rankunit.distributed.pe.PeAlgorithm;
import org.rankunit.distributed.pe.PeTopology;
import org.rankunit.distributed.pe.machine.QueueSettings;
import org.rankunit.distributed.pe.machine.QueueSettings.Backpressure;

/**
 * The algorithms that {@code ccl.yaml} lists, and the settings of their queues.
 *
 * @param defaultAlgorithm the name of the one that is used if none is asked for
 * @param algorithms by name, in the order of the file
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public record CclConfig(Optional<String> defaultAlgorithm, Map<String, Entry> algorithms) {

    private static final int DEFAULT_ELEMENTS = 32;
    private static final int MAX = 1 << 30;

    /**
     * An algorithm.
     *
     * @param name in the file
     * @param nElem elements of each processing element
     * @param worldSize the number of processing elements; empty for that of the machine
     * @since 0.1
     */
    @API(status = EXPERIMENTAL, since = "0.1")
    public record Entry(
            String name,
            PeAlgorithm algorithm,
            PeTopology topology,
            QueueSettings queues,
            int nElem,
            Optional<Integer> worldSize) {}

    /**
     * Read a file. Classes are found by the context class loader.
     *
     * @throws org.rankunit.collective.yaml.YamlException if it is not such a file; the message has the place and what is allowed there
     */
    public static CclConfig read(Path file) {
        return of(YamlMap.read(file));
    }

    /**
     * Read a text.
     *
     * @param name of the file, for messages
     */
    public static CclConfig parse(String name, String text) {
        return of(YamlMap.parse(name, text));
    }

    /**
     * Get an algorithm.
     *
     * @throws IllegalArgumentException if the file has none of this name; the message lists those that it has
     */
    public Entry named(String name) {
        Entry entry = algorithms.get(name);
        if (entry == null) {
            throw new IllegalArgumentException(
                    "there is no algorithm \"" + name + "\"; ccl.yaml has " + String.join(", ", algorithms.keySet()));
        }
        return entry;
    }

    private static CclConfig of(YamlMap file) {
        // The last one is for collectives among devices, which others read.
        file.allow("defaults", "algorithms", "collectives");
        YamlMap defaults = file.findMap("defaults")
                .orElse(YamlMap.parse("", "{}"))
                .allow("algorithm", "buffer_kind", "backpressure", "n_slots", "slot_size", "ipcq_credit_size_bytes");
        QueueSettings queues = new QueueSettings(
                bufferKind(defaults, MemorySpace.TCM),
                defaults.choice(
                        "backpressure", Backpressure.SLEEP, List.of(Backpressure.values()), Backpressure::toString),
                defaults.findInteger("n_slots", 1, MAX).orElse(QueueSettings.DEFAULT_SLOTS),
                defaults.findInteger("slot_size", 1, MAX).orElse(QueueSettings.DEFAULT_SLOT_BYTES),
                defaults.findInteger("ipcq_credit_size_bytes", 1, MAX).orElse(QueueSettings.DEFAULT_CREDIT_BYTES));
        YamlMap all = file.map("algorithms");
        Map<String, Entry> algorithms = new LinkedHashMap<>();
        all.keys().forEach(name -> algorithms.put(name, entry(name, all.map(name), queues)));
        Optional<String> chosen = defaults.findText("algorithm");
        chosen.filter(name -> !algorithms.containsKey(name)).ifPresent(name -> {
            throw defaults.error(
                    "algorithm", "\"" + name + "\" is not one of " + String.join(", ", algorithms.keySet()));
        });
        return new CclConfig(chosen, algorithms);
    }

    private static MemorySpace bufferKind(YamlMap map, MemorySpace otherwise) {
        return map.choice("buffer_kind", otherwise, List.of(MemorySpace.values()), MemorySpace::toString);
    }

    private static Entry entry(String name, YamlMap map, QueueSettings defaults) {
        map.allow("module", "topology", "buffer_kind", "n_elem", "world_size");
        map.text("topology");
        PeTopology topology =
                map.choice("topology", PeTopology.RING_1D, List.of(PeTopology.values()), PeTopology::toString);
        QueueSettings queues = new QueueSettings(
                bufferKind(map, defaults.slotsIn()),
                defaults.backpressure(),
                defaults.slots(),
                defaults.slotBytes(),
                defaults.creditBytes());
        return new Entry(
                name,
                algorithm(map),
                topology,
                queues,
                map.findInteger("n_elem", 0, MAX).orElse(DEFAULT_ELEMENTS),
                map.findInteger("world_size", 1, MAX));
    }

    private static PeAlgorithm algorithm(YamlMap map) {
        String module = map.text("module");
        try {
            ClassLoader loader = Thread.currentThread().getContextClassLoader();
            return Class.forName(module, true, loader == null ? CclConfig.class.getClassLoader() : loader)
                    .asSubclass(PeAlgorithm.class)
                    .getDeclaredConstructor()
                    .newInstance();
        } catch (ClassNotFoundException | NoClassDefFoundError e) {
            throw map.error("module", "there is no class " + module + " on the class path");
        } catch (LinkageError e) {
            throw map.error("module", "class " + module + " cannot be loaded: " + e);
        } catch (ClassCastException e) {
            throw map.error("module", "class " + module + " is not a " + PeAlgorithm.class.getSimpleName());
        } catch (InvocationTargetException e) {
            throw map.error("module", "the constructor of " + module + " failed: " + e.getCause());
        } catch (ReflectiveOperationException e) {
            throw map.error("module", "class " + module + " needs a public constructor without parameters");
        }
    }
}
