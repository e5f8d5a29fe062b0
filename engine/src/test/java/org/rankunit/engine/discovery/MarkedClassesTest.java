package org.rankunit.engine.discovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rankunit.DeviceCount;
import org.rankunit.Platforms;
import org.rankunit.RankContext;

@Tag("unit")
class MarkedClassesTest {

    @Retention(RetentionPolicy.RUNTIME)
    @DeviceCount(2)
    @interface OnTwo {}

    @Retention(RetentionPolicy.RUNTIME)
    @OnTwo
    @interface Often {}

    static class Ordinary {
        @Test
        void test() {}

        @Nested
        class Inner {
            @Test
            void test() {}
        }
    }

    static class OnMethod {
        @Test
        @Platforms("a2a3sim")
        void test() {}
    }

    @Often
    static class ByMetaAnnotation {}

    interface Defaults {
        @Test
        @DeviceCount(1)
        default void test() {}
    }

    static class OfInterface implements Defaults {}

    static class OfSuperclass extends OnMethod {}

    static class Around {
        @Nested
        class Inner {
            @Test
            @OnTwo
            void test() {}
        }
    }

    static class OfSuperclassInside extends Around {}

    static class TakesContext {
        @Test
        void test(RankContext rank) {}
    }

    @DeviceCount(2)
    static class Marked {
        @Nested
        class Within {}
    }

    @Test
    void aClassWithoutMarksIsLeftToJupiterAlone() {
        assertThat(new MarkedClasses().mayHold(selectClass(Ordinary.class))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                OnMethod.class,
                ByMetaAnnotation.class,
                OfInterface.class,
                OfSuperclass.class,
                Around.class,
                OfSuperclassInside.class,
                TakesContext.class,
                Marked.Within.class
            })
    void aMarkIsFoundWhereverItMayStand(Class<?> type) {
        MarkedClasses marked = new MarkedClasses();
        assertThat(marked.mayHold(selectClass(Ordinary.class))).isFalse();

        assertThat(marked.mayHold(selectClass(type))).isTrue();
    }

    @Test
    void aClassThatCannotBeLoadedIsForJupiterToTellOf() {
        assertThat(new MarkedClasses().mayHold(selectClass("org.example.Missing")))
                .isTrue();
    }
}
