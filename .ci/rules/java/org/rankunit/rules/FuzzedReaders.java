package org.rankunit.rules;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The readers of a module, for all of which the same holds. */
@Tag("unit")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class FuzzedReaders {

    /** The readers, each with inputs from which bad ones are made. */
    protected abstract List<FuzzTarget<?>> targets() throws Exception;

    Stream<FuzzTarget<?>> all() throws Exception {
        return targets().stream();
    }

    /** The limit is for readers that would take hours for some hundred kilobytes. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("all")
    @Timeout(120)
    void whateverTheInputItIsReadOrRefusedWithAMessage(FuzzTarget<?> target) {
        target.fuzz();
    }
}
