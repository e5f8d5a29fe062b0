package org.rankunit.engine.cases;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.TestTemplate;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.Extension;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.TestTemplateInvocationContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContextProvider;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.ArgumentsProvider;
import org.junit.jupiter.params.provider.ArgumentsSource;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.NullAndEmptySource;
import org.junit.jupiter.params.provider.ValueSource;
import org.rankunit.DeviceCount;
import org.rankunit.RankContext;

/** Templates: what runs once per invocation. */
public final class SourceCases {

    private SourceCases() {}

    @DeviceCount(2)
    public static class Sources {

        @ParameterizedTest
        @ValueSource(strings = {"a", "b"})
        void value(String value) {
            Notes.add("value " + value);
        }

        @ParameterizedTest
        @EnumSource(names = {"SECONDS", "DAYS"})
        void enumerated(TimeUnit unit) {
            Notes.add("enum " + unit);
        }

        @ParameterizedTest
        @MethodSource("pairs")
        void method(int number, List<String> texts, RankContext rank) {
            rank.barrier();
            Notes.add("method " + number + " " + texts);
        }

        static Stream<Arguments> pairs() {
            return Stream.of(Arguments.of(1, List.of("x")), Arguments.of(2, List.of()));
        }

        @ParameterizedTest(name = "{0} of {1}")
        @CsvSource({"1, 'a, b'", "2,"})
        void csv(int number, @Nullable String text) {
            Notes.add("csv " + number + " " + text);
        }

        @ParameterizedTest
        @CsvFileSource(resources = "sources.csv", numLinesToSkip = 1)
        void csvFile(String name, double size) {
            Notes.add("csvFile " + name + " " + size);
        }

        @ParameterizedTest
        @ArgumentsSource(OfThisRank.class)
        void arguments(Object argument) {
            Notes.add("arguments " + argument.getClass().getSimpleName());
        }

        @ParameterizedTest
        @NullAndEmptySource
        @ValueSource(strings = "c")
        void nullAndEmpty(@Nullable String text) {
            Notes.add("null " + (text == null ? "null" : "'" + text + "'"));
        }

        @RepeatedTest(value = 2, name = "{currentRepetition} of {totalRepetitions}")
        void repeated(RepetitionInfo info) {
            Notes.add("repeated " + info.getCurrentRepetition());
        }

        @TestTemplate
        @ExtendWith(TwoNumbers.class)
        void template(Integer number) {
            Notes.add("template " + number);
        }
    }

    /** Arguments whose text differs from rank to rank. */
    static final class OfThisRank implements ArgumentsProvider {

        @Override
        public Stream<? extends Arguments> provideArguments(ExtensionContext context) {
            return Stream.of(Arguments.of(new Argument(Notes.rank().rank())));
        }
    }

    record Argument(int rank) {}

    /** A template of two invocations, with an argument for each. */
    static final class TwoNumbers implements TestTemplateInvocationContextProvider {

        @Override
        public boolean supportsTestTemplate(ExtensionContext context) {
            return true;
        }

        @Override
        public Stream<TestTemplateInvocationContext> provideTestTemplateInvocationContexts(ExtensionContext context) {
            return Stream.of(1, 2).map(OneNumber::new);
        }
    }

    private record OneNumber(Integer number) implements TestTemplateInvocationContext, ParameterResolver {

        @Override
        public String getDisplayName(int invocation) {
            return "with " + number;
        }

        @Override
        public List<Extension> getAdditionalExtensions() {
            return Arrays.asList(this);
        }

        @Override
        public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
            return parameter.getParameter().getType() == Integer.class;
        }

        @Override
        public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
            return number;
        }
    }
}
