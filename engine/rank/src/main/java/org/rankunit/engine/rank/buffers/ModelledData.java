package org.rankunit.engine.rank.buffers;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.opentest4j.AssertionFailedError;
import org.rankunit.DType;
import org.rankunit.RankContext;
import org.rankunit.Values;
import org.rankunit.engine.protocol.RankData;
import org.rankunit.engine.protocol.TestDeclaration;
import org.rankunit.engine.protocol.TestSelection;
import org.rankunit.engine.protocol.Variant;
import org.rankunit.engine.protocol.VariantRank;
import org.rankunit.golden.pattern.NeverWritten;

/** What a golden model gives for one invocation of a test. It is computed here, for other ranks only if that is asked for. */
final class ModelledData implements GoldenData {

    private final Variant variant;
    private final LiveRankContext rank;
    private final List<@Nullable Object> arguments;
    private final Map<Integer, RankData> computed = new HashMap<>();

    ModelledData(TestDeclaration test, LiveRankContext rank, List<@Nullable Object> arguments) {
        this.variant = new Variant(test, rank.platform(), rank.parameters());
        this.rank = rank;
        this.arguments = arguments.stream()
                .filter(argument -> !(argument instanceof RankContext))
                .toList();
    }

    private RankData of(int ofRank) {
        RankData known = computed.get(ofRank);
        if (known == null) {
            known = compute(new VariantRank(variant, ofRank, arguments, name -> {}));
            computed.put(ofRank, known);
        }
        return known;
    }

    private static RankData compute(VariantRank of) {
        RankData data = new RankData(of);
        try {
            of.variant()
                    .newModel(Thread.currentThread().getContextClassLoader())
                    .compute(of, data);
        } catch (Exception e) {
            throw new AssertionFailedError(of.shownModel() + " threw " + e + " for " + of.shownRank() + ".", e);
        }
        data.missing().ifPresent(text -> {
            throw new AssertionFailedError(text);
        });
        return data;
    }

    @Override
    public List<String> inputs() {
        return List.copyOf(of(rank.rank()).inputs().keySet());
    }

    /** What a model does not give stays zero. */
    @Override
    public Values input(String name, int ofRank) {
        Values given = of(ofRank).inputs().get(name);
        DType type = rank.buffer(name).type();
        return given == null ? Values.decode(type, new byte[rank.buffer(name).count() * type.byteSize()]) : given;
    }

    @Override
    public List<TestSelection.Output> outputs() {
        RankData own = of(rank.rank());
        Set<String> names = new TreeSet<>(own.outputs().keySet());
        names.addAll(own.unwritten());
        return names.stream()
                .map(name -> new TestSelection.Output(name, name, unwrittenOn(name)))
                .toList();
    }

    /** Only this rank is asked about now. */
    private List<Integer> unwrittenOn(String name) {
        return of(rank.rank()).unwritten().contains(name) ? List.of(rank.rank()) : List.of();
    }

    @Override
    public Values expected(TestSelection.Output output, int ofRank, DType type) {
        Values given = of(ofRank).outputs().get(output.buffer());
        return given == null
                ? Values.decode(
                        type,
                        NeverWritten.fill(type, rank.buffer(output.buffer()).count()))
                : given;
    }
}
