package org.rankunit;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.rankunit.golden.Golden;

/** Values that do not fit into the direct memory of a JVM. */
@Tag("ranks")
@Timeout(60)
class DirectMemoryTest {

    /** A process with a limit of 2 MiB. */
    static final class Limited {

        public static void main(String[] args) {
            Values one = Values.float32(new float[1 << 20]);
            Values other = Values.float32(new float[1 << 20]);
            System.out.print(one.memory().isDirect() + " "
                    + Golden.of("output", one).verify(other).passed());
        }
    }

    @Test
    void areOnTheHeapAndComparedThere() throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:MaxDirectMemorySize=2m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Limited.class.getName())
                .redirectErrorStream(true)
                .start();
        try {
            assertThat(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                    .isEqualTo("false true");
            assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    void otherwiseLargeOnesAreNotOnTheHeap() {
        assertThat(Values.float32(new float[1 << 20]).memory().isDirect()).isTrue();
        assertThat(Values.float32(new float[16]).memory().isDirect()).isFalse();
    }
}
