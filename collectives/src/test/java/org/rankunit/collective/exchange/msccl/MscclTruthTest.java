package org.rankunit.collective.exchange.msccl;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.rankunit.DType;
import org.rankunit.collective.CollectiveAlgorithm;
import org.rankunit.collective.algorithms.BuiltinAlgorithms;
import org.rankunit.collective.call.Collective;
import org.rankunit.collective.call.CollectiveCall;
import org.rankunit.collective.call.MemoryMode;
import org.rankunit.collective.exchange.msccl.xml.MscclFormatException;
import org.rankunit.collective.plain.PlainRun;
import org.rankunit.collective.schedule.Schedule;
import org.rankunit.collective.verify.Verification;
import org.rankunit.collective.verify.Verifier;
import org.rankunit.collective.verify.finding.Promise;

/**
 * Holds what is read, and verified, against {@link XmlInterpreter}: a program that is called right must be so in all orders, and one that is
 * called wrong or refused must go wrong in one.
 */
@Tag("ranks")
class MscclTruthTest {

    /** {@code -Dcollectives.programs=20000} in the long form. */
    private static final int PROGRAMS = Integer.getInteger("collectives.programs", 1300);

    private static final long CCL_BYTES = 1 << 12;
    private static final int CALLS = 6;
    private static final int MAX_STATES = 30_000;
    private static final Counts COUNTS = new Counts();

    /** What was judged. */
    private static final class Counts {

        private int right;
        private int wrong;
        private int refused;
        private int unknown;
    }

    @TempDir
    private Path folder;

    static List<Map.Entry<String, String>> examples() {
        return List.copyOf(Examples.small().entrySet());
    }

    /** The interpreter knows no gather and no scatter. */
    static List<CollectiveAlgorithm> algorithms() {
        Set<Collective> others =
                Set.of(Collective.BARRIER, Collective.SEND_RECV, Collective.GATHER, Collective.SCATTER);
        return BuiltinAlgorithms.all().stream()
                .filter(each -> !others.contains(each.collective()))
                .toList();
    }

    static IntStream parts() {
        return IntStream.range(0, Examples.small().size());
    }

    @AfterAll
    static void mostAreJudged() {
        System.out.printf(
                "MSCCL programs: %d right, %d wrong, %d refused and wrong, %d with too many orders%n",
                COUNTS.right, COUNTS.wrong, COUNTS.refused, COUNTS.unknown);
        assertThat(COUNTS.unknown).isLessThan((COUNTS.right + COUNTS.wrong + COUNTS.refused) / 5);
        assertThat(COUNTS.right).isGreaterThan(PROGRAMS / 20);
        assertThat(COUNTS.wrong).isGreaterThan(PROGRAMS / 10);
    }

    @ParameterizedTest
    @MethodSource("examples")
    void examplesAreRight(Map.Entry<String, String> example) throws IOException {
        XmlInterpreter.Truth truth = XmlInterpreter.of(example.getValue(), 1_000_000);
        assertThat(truth.wrong()).as(example.getKey()).isNull();
        assertIsJudgedAsItIs(example.getValue(), example.getKey(), CALLS);
    }

    @ParameterizedTest
    @MethodSource("parts")
    void mutantsAreJudgedAsTheyAre(int part) throws IOException {
        Map.Entry<String, String> example = examples().get(part);
        for (int seed = part; seed < PROGRAMS; seed += examples().size()) {
            Random random = new Random(seed);
            String mutant = example.getValue();
            for (int i = random.nextInt(2); i >= 0; i--) {
                mutant = XmlMutant.of(mutant, random);
            }
            assertIsJudgedAsItIs(mutant, example.getKey() + ", seed " + seed, 2);
        }
    }

    /** Algorithms of the repertoire have many dependencies, each of which may be the one that is missing. */
    @ParameterizedTest
    @MethodSource("algorithms")
    void mutantsOfWrittenAlgorithmsAreJudgedAsTheyAre(CollectiveAlgorithm algorithm) throws IOException {
        for (int seed = 0; seed < PROGRAMS / 130; seed++) {
            Random random = new Random(seed);
            int ranks = 2 + seed % 2;
            CollectiveCall call = CollectiveCall.of(algorithm.collective(), ranks, DType.INT32, ranks);
            if (algorithm.unsupportedReason(call).isEmpty()) {
                Path file = folder.resolve("written.xml");
                MscclFile.write(Schedule.of(algorithm, call), file);
                String mutant = XmlMutant.of(Files.readString(file), random);
                assertIsJudgedAsItIs(mutant, algorithm.name() + " of " + ranks + ", seed " + seed, 1);
            }
        }
    }

    private void assertIsJudgedAsItIs(String text, String name, int numberOfCalls) throws IOException {
        XmlInterpreter.Truth truth = XmlInterpreter.of(text, MAX_STATES);
        MscclAlgorithm algorithm = read(text, name, truth);
        if (!truth.isKnown()) {
            COUNTS.unknown++;
            return;
        }
        if (algorithm == null) {
            COUNTS.refused++;
            return;
        }
        boolean isRight = truth.wrong() == null;
        COUNTS.right += isRight ? 1 : 0;
        COUNTS.wrong += isRight ? 0 : 1;
        List<CollectiveCall> calls = calls(algorithm);
        Collections.shuffle(calls, new Random(name.hashCode()));
        for (CollectiveCall call : calls.subList(0, numberOfCalls)) {
            String what = name + " (" + call + ") is wrong: " + truth.wrong() + "\n" + text;
            Schedule schedule = Schedule.of(algorithm, call);
            Verification verification = Verifier.verify(schedule);
            assertThat(verification.keeps(Promise.SAFETY))
                    .as(what + verification.report())
                    .isEqualTo(isRight);
            assertThat(verification.keeps(Promise.PROTOCOL))
                    .as(what + verification.report())
                    .isTrue();
            if (isRight) {
                assertThat(Verifier.verify(algorithm, call).findings()).as(what).isEmpty();
                assertThat(PlainRun.problemOf(schedule, name.hashCode()))
                        .as(what)
                        .isNull();
            }
        }
    }

    private @Nullable MscclAlgorithm read(String text, String name, XmlInterpreter.Truth truth) throws IOException {
        try {
            return MscclFile.read(Files.writeString(folder.resolve("program.xml"), text));
        } catch (MscclFormatException e) {
            assertThat(e).hasMessageContaining("program.xml, line ");
            assertThat(truth.wrong() != null || !truth.complete())
                    .as(name + " is right, and refused: " + e.getMessage() + "\n" + text)
                    .isTrue();
            return null;
        }
    }

    private static List<CollectiveCall> calls(MscclAlgorithm algorithm) {
        int n = algorithm.ranks();
        CollectiveCall call = CollectiveCall.of(algorithm.collective(), n, DType.INT32, 3 * algorithm.countStep())
                .withInPlace(!algorithm.isForOutOfPlace())
                .withMemory(MemoryMode.WINDOWS, CCL_BYTES);
        List<CollectiveCall> calls = new ArrayList<>();
        for (int ofServer : new int[] {n, 1, 2}) {
            calls.add(call.withRanksPerServer(ofServer));
            calls.add(call.withRanksPerServer(ofServer).withMemory(MemoryMode.SINGLE_OPERATOR, CCL_BYTES));
        }
        return calls;
    }
}
