package org.example;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.rankunit.DeviceCount;
import org.rankunit.RankContext;

/** What a rank has from the JVM that Surefire started: the same as an ordinary test there. */
@Tag("ranks")
class InheritedTest {

    @Test
    void ordinary() throws Exception {
        check();
    }

    @Test
    @DeviceCount(2)
    void onDevices(RankContext rank) throws Exception {
        check();
        // Of Surefire's argLine, and of rankunit.jvm-args, which ranks alone have.
        assertEquals(rank.worldSize(), 2);
        assertEquals("yes", System.getProperty("of.ranks"));
    }

    private static void check() throws Exception {
        assertThrows(AssertionError.class, () -> {
            assert false : "assertions are on, as Surefire has them";
        });
        assertEquals("of the build", System.getProperty("of.build"));
        assertEquals("of the environment", System.getenv("OF_ENVIRONMENT"));
        assertEquals("of the arguments", System.getProperty("of.arguments"));
        // Opened by the argLine.
        Properties.class.getDeclaredField("defaults").setAccessible(true);
        assertEquals(true, Files.exists(Path.of("pom.xml")));
    }
}
