package org.rankunit.engine.protocol;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.rankunit.Buffer;
import org.rankunit.DType;
import org.rankunit.Values;
import org.rankunit.golden.model.ModelData;

/** What a model gives for one rank. */
public final class RankData implements ModelData {

    private final VariantRank rank;
    private final Map<String, Values> inputs = new TreeMap<>();
    private final Map<String, Values> outputs = new TreeMap<>();
    private final Set<String> unwritten = new TreeSet<>();

    public RankData(VariantRank rank) {
        this.rank = rank;
    }

    /** The inputs by the names of their buffers. */
    public Map<String, Values> inputs() {
        return inputs;
    }

    /** The expected outputs by the names of their buffers. */
    public Map<String, Values> outputs() {
        return outputs;
    }

    /** The outputs that must stay as they are. */
    public Set<String> unwritten() {
        return unwritten;
    }

    /** Say which output is missing that the test needs; empty if none is. */
    public Optional<String> missing() {
        List<BufferDeclaration> buffers = rank.variant().test().buffers();
        for (BufferDeclaration buffer : buffers) {
            boolean isGiven = outputs.containsKey(buffer.name()) || unwritten.contains(buffer.name());
            if (Variant.isRequired(buffer) && !isGiven) {
                return Optional.of(
                        rank.shownModel() + " gives no output '" + buffer.name() + "' for " + rank.shownRank()
                                + ". Give one: data.output(\"" + buffer.name() + "\", ...), or data.unwritten(\""
                                + buffer.name()
                                + "\") for a rank that writes nothing. Or declare the buffer with unverified = true.");
            }
        }
        boolean othersVerify = buffers.stream().anyMatch(BufferDeclaration::unverified);
        return outputs.isEmpty() && unwritten.isEmpty() && !othersVerify
                ? Optional.of(rank.shownModel() + " gives no output for " + rank.shownRank()
                        + ", so nothing would be verified there. Give one: data.output(...).")
                : Optional.empty();
    }

    @Override
    public DType type(String buffer) {
        return rank.type(buffer);
    }

    @Override
    public void input(String buffer, Values values) {
        BufferDeclaration declared = rank.declared(buffer);
        if (declared.role() == Buffer.Role.OUTPUT || declared.role() == Buffer.Role.SCRATCH) {
            throw new IllegalArgumentException("buffer '" + buffer + "' has the role " + declared.role()
                    + " and takes no input. Declare it as INPUT or INOUT.");
        }
        requireFit(declared, values);
        put(inputs, buffer, values, "input");
    }

    @Override
    public void output(String buffer, Values values) {
        BufferDeclaration declared = rank.declared(buffer);
        if (declared.role() == Buffer.Role.INPUT || declared.role() == Buffer.Role.SCRATCH) {
            throw new IllegalArgumentException("buffer '" + buffer + "' has the role " + declared.role()
                    + " and is not an output. Declare it as OUTPUT or INOUT.");
        }
        requireFit(declared, values);
        if (unwritten.contains(buffer)) {
            throw twice(buffer, "output");
        }
        put(outputs, buffer, values, "output");
    }

    @Override
    public void unwritten(String buffer) {
        if (rank.declared(buffer).role() != Buffer.Role.OUTPUT) {
            throw new IllegalArgumentException("buffer '" + buffer + "' has the role "
                    + rank.declared(buffer).role()
                    + ". Only one with the role OUTPUT is filled with a pattern that shows whether it was written.");
        }
        if (outputs.containsKey(buffer) || !unwritten.add(buffer)) {
            throw twice(buffer, "output");
        }
    }

    private static void put(Map<String, Values> all, String buffer, Values values, String what) {
        if (all.putIfAbsent(buffer, values) != null) {
            throw twice(buffer, what);
        }
    }

    private static IllegalArgumentException twice(String buffer, String what) {
        return new IllegalArgumentException("the " + what + " of buffer '" + buffer + "' was given twice");
    }

    private static void requireFit(BufferDeclaration declared, Values values) {
        if (values.type() != declared.type() || values.count() != declared.count()) {
            throw new IllegalArgumentException("buffer '" + declared.name() + "' holds " + declared.count() + " x "
                    + declared.type() + ", and the model gives " + values.count() + " x " + values.type());
        }
    }
}
