package org.rankunit.engine.discovery;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;
import org.junit.platform.engine.UniqueId;
import org.junit.platform.engine.support.descriptor.EngineDescriptor;
import org.rankunit.DeviceCount;

@Tag("unit")
class SharedResourcesTest {

    @DeviceCount(1)
    @ResourceLock("port")
    static class Locking {

        @Test
        @ResourceLock(value = "file", mode = ResourceAccessMode.READ)
        @ResourceLock("log")
        void reads() {}

        @Nested
        @ResourceLock("inner")
        class Inner {

            @Test
            void test() {}
        }
    }

    @DeviceCount(1)
    @ResourceLock(Resources.SYSTEM_PROPERTIES)
    @ResourceLock(Resources.LOCALE)
    static class LockingItsJvm {

        @Test
        void test() {}
    }

    @Isolated
    @DeviceCount(1)
    static class Alone {

        @Test
        void test() {}
    }

    @DeviceCount(1)
    @ResourceLock(Resources.GLOBAL)
    static class AloneByItsLock {

        @Test
        void test() {}
    }

    @DeviceCount(1)
    static class Free {

        @Test
        void test() {}
    }

    @Test
    void locksOfTheClassAndOfAllThatIsInItAddUp() {
        assertThat(of(Locking.class))
                .isEqualTo(new SharedResources(false, Set.of("port", "log", "inner"), Set.of("file")));
    }

    @Test
    void anIsolatedClassGoesWithNone() {
        assertThat(of(Alone.class).goesWith(of(Free.class))).isFalse();
        assertThat(of(Free.class).goesWith(of(Alone.class))).isFalse();
    }

    @Test
    void aClassWithoutLocksGoesWithAllOthers() {
        assertThat(of(Free.class)).isEqualTo(SharedResources.NONE);
        assertThat(of(Free.class).goesWith(of(Locking.class))).isTrue();
    }

    @Test
    void theGlobalLockIsolatesAClass() {
        assertThat(of(AloneByItsLock.class).isolated()).isTrue();
    }

    @Test
    void whatEachRankHasForItselfIsNotShared() {
        assertThat(of(LockingItsJvm.class)).isEqualTo(SharedResources.NONE);
    }

    @Test
    void readersGoTogetherAndWithNoWriter() {
        SharedResources reader = new SharedResources(false, Set.of(), Set.of("file"));
        SharedResources writer = new SharedResources(false, Set.of("file"), Set.of());

        assertThat(reader.goesWith(reader)).isTrue();
        assertThat(reader.goesWith(writer)).isFalse();
        assertThat(writer.goesWith(reader)).isFalse();
        assertThat(writer.goesWith(writer)).isFalse();
    }

    private static SharedResources of(Class<?> type) {
        EngineDescriptor root = new EngineDescriptor(UniqueId.forEngine("rankunit"), "RankUnit");
        DiscoveredTests.addTo(root, type);
        return SharedResources.of(root.getChildren().iterator().next());
    }
}
