package org.rankunit.engine.prepare.model;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.rankunit.Values;
import org.rankunit.engine.config.files.PrivateFolder;
import org.rankunit.engine.protocol.BufferDeclaration;
import org.rankunit.engine.protocol.RankData;
import org.rankunit.engine.protocol.TestSelection;
import org.rankunit.engine.protocol.Variant;

/** Computes a model for all ranks of a variant into files, one for each rank and buffer. */
public final class ModelFiles {

    /** The folder of inputs. */
    public static final String INPUTS = "inputs";
    /** The folder of expected outputs. */
    public static final String OUTPUTS = "outputs";

    /** If all ranks have less data than this, all are computed twice; otherwise only rank 0 is. */
    private static final long ALL_TWICE_BYTES = 64 << 20;

    private final Variant variant;
    private final ModelRun model;

    /** The buffers that have files. */
    record Names(List<String> inputs, List<TestSelection.Output> outputs) {}

    ModelFiles(Variant variant, ModelRun model) {
        this.variant = variant;
        this.model = model;
    }

    /** Compute everything into a folder, and check that a second call gives the same. */
    Names computeInto(Path folder) throws GoldenException, InterruptedException, IOException {
        int ranks = variant.test().ranks();
        long bytes = variant.test().buffers().stream()
                        .mapToLong(BufferDeclaration::bytes)
                        .sum()
                * 2
                * ranks;
        Set<String> inputs = new TreeSet<>();
        Map<String, List<Integer>> outputs = new TreeMap<>();
        Map<String, List<Integer>> unwritten = new TreeMap<>();
        for (int rank = 0; rank < ranks; rank++) {
            RankData data = model.of(rank);
            Optional<String> missing = data.missing();
            if (missing.isPresent()) {
                throw new GoldenException(missing.get());
            }
            if (rank == 0 || bytes <= ALL_TWICE_BYTES) {
                requireSame(rank, data, model.of(rank));
            }
            inputs.addAll(data.inputs().keySet());
            int self = rank;
            data.outputs()
                    .keySet()
                    .forEach(name -> outputs.computeIfAbsent(name, n -> new ArrayList<>())
                            .add(self));
            data.unwritten()
                    .forEach(name -> unwritten
                            .computeIfAbsent(name, n -> new ArrayList<>())
                            .add(self));
            write(folder.resolve(INPUTS), rank, data.inputs());
            write(folder.resolve(OUTPUTS), rank, data.outputs());
        }
        return new Names(requireOnAllRanks(inputs, folder), allRanks(outputs, unwritten));
    }

    private void requireSame(int rank, RankData first, RankData second) throws GoldenException {
        requireSame(rank, "input", first.inputs(), second.inputs());
        requireSame(rank, "output", first.outputs(), second.outputs());
        if (!first.unwritten().equals(second.unwritten())) {
            throw differs(rank, "other outputs unwritten");
        }
    }

    private void requireSame(int rank, String what, Map<String, Values> first, Map<String, Values> second)
            throws GoldenException {
        if (!first.keySet().equals(second.keySet())) {
            throw differs(rank, "other " + what + "s: " + first.keySet() + " and " + second.keySet());
        }
        for (Map.Entry<String, Values> each : first.entrySet()) {
            Values other = Objects.requireNonNull(second.get(each.getKey()));
            if (!each.getValue().equals(other)) {
                int index = firstDifference(each.getValue(), other);
                throw differs(
                        rank,
                        "another " + what + " '" + each.getKey() + "': [" + index + "] was "
                                + each.getValue().format(index) + " and then " + other.format(index));
            }
        }
    }

    private static int firstDifference(Values first, Values second) {
        int index = 0;
        while (first.bitsAt(index) == second.bitsAt(index)) {
            index++;
        }
        return index;
    }

    private GoldenException differs(int rank, String how) {
        return new GoldenException(model.shown() + " gave " + how + ", in two calls for " + model.name(rank)
                + ". A model depends on its rank alone: give random numbers a fixed seed, and use no clock and no static"
                + " state.");
    }

    /** A rank without an input that another rank has would find no file. */
    private List<String> requireOnAllRanks(Set<String> inputs, Path folder) throws IOException {
        for (int rank = 0; rank < variant.test().ranks(); rank++) {
            for (String name : inputs) {
                Path file = fileOf(folder.resolve(INPUTS), rank, name);
                if (!Files.exists(file)) {
                    // What a model does not give stays zero.
                    BufferDeclaration buffer = variant.buffer(name).orElseThrow();
                    PrivateFolder.create(Objects.requireNonNull(file.getParent()));
                    Files.write(file, new byte[Math.toIntExact(buffer.bytes())]);
                }
            }
        }
        return List.copyOf(inputs);
    }

    private List<TestSelection.Output> allRanks(
            Map<String, List<Integer>> outputs, Map<String, List<Integer>> unwritten) throws GoldenException {
        Set<String> names = new TreeSet<>(outputs.keySet());
        names.addAll(unwritten.keySet());
        List<TestSelection.Output> all = new ArrayList<>();
        for (String name : names) {
            List<Integer> with = outputs.getOrDefault(name, List.of());
            List<Integer> without = unwritten.getOrDefault(name, List.of());
            if (with.size() + without.size() != variant.test().ranks()) {
                throw new GoldenException(
                        variant.source().onlyForSome(name, with, variant.test().ranks()));
            }
            all.add(new TestSelection.Output(name, name, without));
        }
        return all;
    }

    private static void write(Path folder, int rank, Map<String, Values> values) throws IOException {
        for (Map.Entry<String, Values> each : values.entrySet()) {
            Path file = fileOf(folder, rank, each.getKey());
            PrivateFolder.create(Objects.requireNonNull(file.getParent()));
            Files.write(file, each.getValue().encode());
        }
    }

    /** The file of one rank and buffer in one of these folders. */
    public static Path fileOf(Path folder, int rank, String buffer) {
        return folder.resolve("rank_" + rank).resolve(buffer + ".bin");
    }
}
