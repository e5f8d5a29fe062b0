package org.rankunit.golden;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goldens judge as NumPy and {@code torch.testing} do, in random comparisons. {@code golden.numpy} and {@code golden.torch} say how many;
 * each is skipped where it is not installed.
 */
@Tag("ranks")
@Timeout(1800)
class ReferenceTest {

    private static final int LIMIT_MINUTES = 25;

    @TempDir
    Path folder;

    /** The first Python that has a module. */
    private static String pythonWith(String module) throws InterruptedException {
        for (String python : List.of("python3", "/usr/bin/python3")) {
            try {
                Process process = new ProcessBuilder(python, "-c", "import " + module)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .redirectError(ProcessBuilder.Redirect.DISCARD)
                        .start();
                if (process.waitFor() == 0) {
                    return python;
                }
            } catch (IOException absent) {
                // The other may be there.
            }
        }
        return assumeNone(module);
    }

    private static String assumeNone(String module) {
        assumeTrue(false, "there is no python3 with " + module);
        throw new IllegalStateException("an assumption that does not hold goes on");
    }

    private List<String> judged(String by, String python, List<RandomComparison> cases) throws Exception {
        Path script = folder.resolve("reference.py");
        try (InputStream in = ReferenceTest.class.getResourceAsStream("reference.py")) {
            Files.copy(Objects.requireNonNull(in), script);
        }
        Path input = folder.resolve("cases");
        Files.write(input, cases.stream().map(RandomComparison::line).toList());
        Path output = folder.resolve("verdicts");
        Path errors = folder.resolve("errors");
        Process process = new ProcessBuilder(python, script.toString(), by, input.toString())
                .redirectOutput(output.toFile())
                .redirectError(errors.toFile())
                .start();
        assertThat(process.waitFor(LIMIT_MINUTES, TimeUnit.MINUTES)).isTrue();
        assertThat(process.exitValue())
                .as(Files.readString(errors, StandardCharsets.UTF_8))
                .isZero();
        List<String> verdicts = Files.readAllLines(output);
        assertThat(verdicts).hasSameSizeAs(cases);
        return verdicts;
    }

    @Test
    void goldensJudgeAsNumpyDoes() throws Exception {
        String python = pythonWith("numpy");
        List<RandomComparison> cases = Stream.iterate(0, i -> i < Integer.getInteger("golden.numpy", 1000), i -> i + 1)
                .map(RandomComparison::ofAnyStandard)
                .toList();
        List<String> verdicts = judged("numpy", python, cases);

        int sure = 0;
        int failed = 0;
        for (int i = 0; i < cases.size(); i++) {
            GoldenSummary ours = cases.get(i).judged();
            String[] theirs = verdicts.get(i).split("\t", -1);
            String which = "case " + i + ": " + cases.get(i).line() + "\n" + verdicts.get(i) + "\n" + ours;
            assertThat(ours.mismatches()).as(which).isEqualTo(Integer.parseInt(theirs[1]));
            for (int s = 2; s < theirs.length; s++) {
                String[] statistic = theirs[s].split("=", -1);
                double value = Double.parseDouble(statistic[1]);
                assertThat(ours.statistics().stream()
                                .filter(each -> each.name().equals(statistic[0]))
                                .findFirst()
                                .orElseThrow()
                                .value())
                        .as(which)
                        .satisfiesAnyOf(
                                found -> assertThat(found).isEqualTo(value),
                                found -> assertThat(found).isCloseTo(value, within(1e-11 * (1e-9 + Math.abs(value)))));
            }
            if (!theirs[0].equals("?")) {
                assertThat(ours.passed() ? "passed" : "failed").as(which).isEqualTo(theirs[0]);
                sure++;
                failed += ours.passed() ? 0 : 1;
            }
        }
        System.out.println(
                cases.size() + " random comparisons as NumPy: " + sure + " certain, of which " + failed + " fail");
        assertThat(sure).isGreaterThan(cases.size() * 9 / 10);
        assertThat(failed).isBetween(cases.size() / 10, cases.size() * 9 / 10);
    }

    @Test
    void theDefaultIsThatOfTorch() throws Exception {
        int count = Integer.getInteger("golden.torch", 0);
        assumeTrue(count > 0, "golden.torch is 0");
        String python = pythonWith("torch");
        List<RandomComparison> cases = Stream.iterate(0, i -> i < count, i -> i + 1)
                .map(RandomComparison::ofTorch)
                .toList();
        List<String> verdicts = judged("torch", python, cases);

        int sure = 0;
        for (int i = 0; i < cases.size(); i++) {
            if (!verdicts.get(i).equals("?")) {
                assertThat(cases.get(i).judged().passed() ? "passed" : "failed")
                        .as("case " + i + ": " + cases.get(i).line())
                        .isEqualTo(verdicts.get(i));
                sure++;
            }
        }
        System.out.println(cases.size() + " random comparisons as torch.testing: " + sure + " certain");
        assertThat(sure).isGreaterThan(cases.size() * 2 / 3);
    }
}
