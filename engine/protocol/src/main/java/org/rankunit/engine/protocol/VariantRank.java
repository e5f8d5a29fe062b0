package org.rankunit.engine.protocol;

import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.rankunit.DType;
import org.rankunit.engine.config.ConfigKey;
import org.rankunit.golden.model.ModelRank;

/**
 * One rank of a variant, for its model.
 *
 * @param given the arguments of an invocation; {@code null} if they are not known
 * @param askedFor takes the names of parameters that the model asks for
 */
public record VariantRank(
        Variant variant, int rank, @Nullable List<@Nullable Object> given, Consumer<String> askedFor)
        implements ModelRank {

    /** Name the model and the place of its annotation. */
    public String shownModel() {
        return variant.source().place() + ": the golden model "
                + variant.source().model();
    }

    /** Name the rank: {@code rank 0 of 2}. */
    public String shownRank() {
        return "rank " + rank + " of " + worldSize();
    }

    @Override
    public List<@Nullable Object> arguments() {
        if (given == null) {
            throw new IllegalStateException("the arguments of the test are not known when its model is computed for all"
                    + " invocations; say @GoldenModel(value = ..., perInvocation = true)");
        }
        return given;
    }

    @Override
    public int worldSize() {
        return variant.test().ranks();
    }

    @Override
    public String platform() {
        return variant.platform();
    }

    @Override
    public String runtime() {
        return variant.test().runtime();
    }

    @Override
    public Optional<String> parameter(String name) {
        askedFor.accept(name);
        return Optional.ofNullable(variant.parameters().get(ConfigKey.PARAMETER_PREFIX + name));
    }

    @Override
    public int intParameter(String name, int defaultValue) {
        Optional<String> value = parameter(name);
        try {
            return value.map(String::strip).map(Integer::parseInt).orElse(defaultValue);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    ConfigKey.PARAMETER_PREFIX + name + " = \"" + value.orElse("") + "\" is not a whole number.", e);
        }
    }

    @Override
    public int count(String buffer) {
        return declared(buffer).count();
    }

    @Override
    public int[] shape(String buffer) {
        BufferDeclaration declared = declared(buffer);
        return declared.shape().isEmpty()
                ? new int[] {declared.count()}
                : declared.shape().stream().mapToInt(Integer::intValue).toArray();
    }

    @Override
    public DType type(String buffer) {
        return declared(buffer).type();
    }

    /** Find a buffer that the model names. */
    BufferDeclaration declared(String buffer) {
        return variant.buffer(buffer)
                .orElseThrow(() -> new IllegalArgumentException("this test has no buffer '" + buffer + "'; it declares "
                        + (variant.bufferNames().isEmpty() ? "none (@Buffer)" : variant.bufferNames())));
    }

    @Override
    public String toString() {
        return shownRank() + " (" + platform() + ")";
    }
}
