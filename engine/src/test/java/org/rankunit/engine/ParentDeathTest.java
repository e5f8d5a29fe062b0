package org.rankunit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.rankunit.DeviceCount;
import org.rankunit.Platforms;
import org.rankunit.RankContext;

/** Ranks end with the process that started them, whatever they are doing. */
class ParentDeathTest {

    @DeviceCount(3)
    @Platforms("a2a3sim")
    static class Waiting {

        @Test
        void forEver(RankContext rank) throws InterruptedException {
            if (rank.rank() == 0) {
                rank.barrier();
            } else if (rank.rank() == 1) {
                new CountDownLatch(1).await();
            }
            while (true) {
                Thread.onSpinWait();
            }
        }
    }

    /** A process of its own that runs {@link Waiting}, and prints the pids of its ranks once they run it. */
    static final class Parent implements TestExecutionListener {

        public static void main(String[] args) {
            LauncherFactory.create()
                    .execute(
                            LauncherDiscoveryRequestBuilder.request()
                                    .selectors(selectClass(Waiting.class))
                                    .configurationParameter("rankunit.pool-dir", args[0] + "/pool")
                                    .configurationParameter("rankunit.output-dir", args[0] + "/output")
                                    .build(),
                            new Parent());
        }

        @Override
        public void executionStarted(TestIdentifier test) {
            if (test.isTest()) {
                System.out.println(ProcessHandle.current()
                        .children()
                        .map(child -> Long.toString(child.pid()))
                        .collect(Collectors.joining(" ")));
            }
        }
    }

    @Test
    void ranksEndWhenTheirParentIsKilled(@TempDir Path folder) throws Exception {
        Process parent = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Parent.class.getName(),
                        folder.toString())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try (BufferedReader out =
                new BufferedReader(new InputStreamReader(parent.getInputStream(), StandardCharsets.UTF_8))) {
            List<ProcessHandle> ranks = Arrays.stream(out.readLine().split(" ", -1))
                    .map(pid -> ProcessHandle.of(Long.parseLong(pid)).orElseThrow())
                    .toList();
            assertThat(ranks).hasSize(3);

            parent.destroyForcibly();

            for (ProcessHandle rank : ranks) {
                rank.onExit().get(10, TimeUnit.SECONDS);
            }
        } finally {
            parent.destroyForcibly();
        }
    }
}
