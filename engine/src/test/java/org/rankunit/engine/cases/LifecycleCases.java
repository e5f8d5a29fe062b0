package org.rankunit.engine.cases;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.ClassOrderer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestClassOrder;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.rankunit.DeviceCount;
import org.rankunit.RankContext;

/** Lifecycles, inheritance, nesting, order and names. */
public final class LifecycleCases {

    private LifecycleCases() {}

    /** Lifecycle methods that a test class inherits. */
    public abstract static class Base {

        @BeforeAll
        static void openBase() {
            Notes.add("life: base opens");
        }

        @BeforeEach
        void prepareBase() {
            Notes.add("life: base prepares");
        }

        @Test
        @Order(3)
        void inherited(RankContext rank) {
            rank.barrier();
            Notes.add("life: inherited");
        }
    }

    /** A test that a test class has of an interface. */
    public interface Contract {

        @Test
        @Order(2)
        default void promised(RankContext rank) {
            rank.barrier();
            Notes.add("life: promised");
        }
    }

    @DeviceCount(2)
    @TestMethodOrder(MethodOrderer.OrderAnnotation.class)
    public static class PerMethod extends Base implements Contract {

        private int used;

        @BeforeAll
        static void open(RankContext rank) {
            rank.barrier();
            Notes.add("life: opens");
        }

        @BeforeEach
        void prepare() {
            used++;
        }

        @Test
        @Order(1)
        void own() {
            Notes.add("thread: " + Thread.currentThread().getName());
            Notes.add("life: own");
        }

        @AfterEach
        void cleanUp() {
            Notes.add("life: instance used " + used + " times");
        }

        @AfterAll
        static void close(RankContext rank) {
            rank.barrier();
            Notes.add("life: closes");
        }
    }

    @DeviceCount(2)
    @TestInstance(TestInstance.Lifecycle.PER_CLASS)
    @TestClassOrder(ClassOrderer.OrderAnnotation.class)
    public static class Nesting {

        private int tests;

        @BeforeEach
        void count() {
            tests++;
        }

        @Nested
        @Order(2)
        @TestInstance(TestInstance.Lifecycle.PER_CLASS)
        class Later {

            @BeforeAll
            void open() {
                Notes.add("nest: later opens");
            }

            @Test
            void second() {
                Notes.add("nest: second, test " + tests);
            }

            @AfterAll
            void close() {
                Notes.add("nest: later closes");
            }
        }

        @Nested
        @Order(1)
        class Sooner {

            @Test
            void first() {
                Notes.add("nest: first, test " + tests);
            }

            @Nested
            class Deeper {

                @Test
                void deep(RankContext rank) {
                    rank.barrier();
                    Notes.add("nest: deep, test " + tests);
                }
            }
        }
    }

    @DeviceCount(2)
    @TestMethodOrder(MethodOrderer.Random.class)
    public static class Shuffled {

        @Test
        void a(TestInfo info) {
            Notes.add("shuffled: " + info.getDisplayName());
        }

        @Test
        void b(TestInfo info) {
            Notes.add("shuffled: " + info.getDisplayName());
        }

        @Test
        void c(TestInfo info) {
            Notes.add("shuffled: " + info.getDisplayName());
        }

        @Test
        void d(TestInfo info) {
            Notes.add("shuffled: " + info.getDisplayName());
        }
    }

    @DeviceCount(2)
    @DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
    @TestMethodOrder(MethodOrderer.MethodName.class)
    public static class Names {

        @Test
        @Tag("fast")
        void adds_all_inputs(TestInfo info) {
            Notes.add("name: " + info.getDisplayName() + " " + info.getTags());
        }

        @Test
        @DisplayName("summiert über alle Ränge")
        void has_its_own() {}
    }
}
