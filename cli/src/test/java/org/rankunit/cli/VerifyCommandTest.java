package org.rankunit.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.Extension;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.rankunit.cli.OtherJvm.Said;
import org.rankunit.collective.CollectiveAlgorithm;
import org.rankunit.collective.Link;
import org.rankunit.collective.Orchestration;
import org.rankunit.collective.Resources;
import org.rankunit.collective.call.BufferKind;
import org.rankunit.collective.call.Collective;
import org.rankunit.collective.call.CollectiveCall;
import org.rankunit.collective.call.MemoryMode;

/** {@code rankunit verify} in other processes, most of it in one. */
@Tag("ranks")
@Timeout(120)
class VerifyCommandTest {

    @RegisterExtension
    static final CommandsInOneJvm COMMANDS = new CommandsInOneJvm();

    private static Said verify(String... arguments) throws Exception {
        return COMMANDS.run(
                Stream.concat(Stream.of("verify"), Stream.of(arguments)).toArray(String[]::new));
    }

    @Test
    void anAlgorithmOfRankUnitIsCorrect() throws Exception {
        Said said = OtherJvm.rankunit("verify", "RingAllReduce", "--ranks", "2-5");

        assertThat(said.code()).as(said.err()).isZero();
        assertThat(said.text())
                .containsPattern(
                        "RingAllReduce: correct; \\d+ calls, [\\d,]+ tasks; same bits in every run and on all ranks")
                .endsWith("1 correct, 0 with findings");
    }

    @Test
    void whatWasProvedByOneRankIsSaid() throws Exception {
        Said said = verify("NhrAllGather", "--ranks", "64-65");

        assertThat(said.code()).as(said.err()).isZero();
        assertThat(said.text())
                .containsPattern("NhrAllGather: correct; \\d+ calls")
                .containsPattern("  \\d+ calls by symmetry: rank 0 was verified, and all other ranks compared with it")
                .doesNotContain("calls were not verified");
    }

    @Test
    void aMistakeInAnAlgorithmOfAUserIsPrintedWithItsLines() throws Exception {
        Said said =
                OtherJvm.rankunit("verify", "--class-path", classes(), Impatient.class.getName(), "--ranks", "2-16");

        assertThat(said.code()).isEqualTo(ExitCodes.NOT_WELL);
        assertThat(said.text())
                .contains("Impatient, broadcast of 2 ranks, 4 float32, root 0: ")
                .contains("incomplete exchange: data moves before Ack of the other end was awaited")
                .containsPattern(
                        "PUT input\\[0, 16\\) of rank 0 to output\\[0, 16\\) of rank 1, .*VerifyCommandTest.java:\\d+")
                .contains("calls have findings; these are those of the smallest number of ranks")
                .endsWith("0 correct, 1 with findings");
    }

    @Test
    void theSmallestCallWithFindingsIsDrawnWithTheseInRed(@TempDir Path folder) throws Exception {
        Path svg = folder.resolve("impatient.svg");

        Said said = verify("--class-path", classes(), Impatient.class.getName(), "--picture", svg.toString());

        assertThat(said.code()).isEqualTo(ExitCodes.NOT_WELL);
        assertThat(said.text()).contains("  written: " + svg);
        assertThat(svg)
                .content()
                .contains(
                        "Impatient, broadcast of 2 ranks, 4 float32, root 0", "incomplete exchange: data moves before")
                .contains("class=\"transfer write inside bad\"", "VerifyCommandTest.java:");
    }

    @Test
    void nothingIsDrawnOfWhatIsCorrect(@TempDir Path folder) throws Exception {
        Path svg = folder.resolve("ring.svg");

        assertThat(verify("RingAllReduce", "--ranks=2", "--picture", svg.toString())
                        .code())
                .isZero();
        assertThat(svg).doesNotExist();
        assertThat(verify("--picture", svg.toString()).err()).contains("--picture needs one algorithm.");
        assertThat(verify("RingAllReduce", "--picture", "a.png").err()).contains("expected a file that ends in .svg");
    }

    static String classes() throws URISyntaxException {
        return Path.of(VerifyCommandTest.class
                        .getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .toURI())
                .toString();
    }

    @ParameterizedTest
    @ValueSource(strings = {"0-4", "5-2", "two", "2-", "-4", "1000000"})
    void ranksThatAreNoneAreRefused(String ranks) throws Exception {
        Said said = verify("RingAllReduce", "--ranks=" + ranks);

        assertThat(said.code()).isEqualTo(ExitCodes.USAGE);
        assertThat(said.err())
                .contains("--ranks = \"" + ranks + "\": expected a number such as 8, or a range such as 2-64.");
    }

    @Test
    void theVerdictSaysWhatItCoversAndWhatNot() throws Exception {
        Said said = verify("MeshReduce", "--ranks", "2-4");

        assertThat(said.code()).as(said.err()).isZero();
        assertThat(said.text())
                .contains("  covered: 2-4 ranks; types float32, ", "reductions sum, ", "servers 1, ", "in place")
                .contains("  not covered: buffers in CCL buffers that take one chunk, ", "(needs buffers in windows)");
    }

    @Test
    void givenValuesAreVerifiedInPlaceOfOthers() throws Exception {
        Said said = verify(
                "MeshReduce",
                "--ranks=8",
                "--type=float64,int8",
                "--op=max",
                "--count=1000000",
                "--root=3",
                "--ranks-per-server=2,3");

        assertThat(said.code()).as(said.err()).isZero();
        assertThat(said.text())
                .contains("covered: 8 ranks; types float64, int8; elements 1000000; ")
                .contains("roots 3; reductions max; servers 2 ranks each, 3 ranks each; ");
    }

    @Test
    void anAlgorithmThatIsSafeByItsOwnSignalsCanBeRequiredToBeNoMore() throws Exception {
        String[] arguments = {"--class-path", classes(), Polite.class.getName(), "--ranks", "2-3"};

        assertThat(verify(arguments).code()).isEqualTo(ExitCodes.NOT_WELL);
        Said said = verify(Stream.concat(Stream.of(arguments), Stream.of("--require=safety"))
                .toArray(String[]::new));

        assertThat(said.code()).as(said.text()).isZero();
        assertThat(said.text())
                .contains("Polite: safe, but does not follow the protocol; ")
                .endsWith("1 as required, 0 with findings");
        assertThat(verify(Stream.concat(Stream.of(arguments), Stream.of("--require=protocol"))
                                .toArray(String[]::new))
                        .code())
                .isEqualTo(ExitCodes.NOT_WELL);
    }

    @ParameterizedTest
    @CsvSource({
        "--type=float63, 'expected one of float16, bfloat16, float32'",
        "--op=avg, 'expected one of sum, prod, max, min'",
        "--count=-1, 'expected numbers from 0'",
        "--count=1e9, 'expected numbers from 0'",
        "--ranks-per-server=0, 'expected numbers from 1'",
        "--require=speed, 'expected one of safety, protocol, declaration'",
        "--root=99, 'applies to no reduce of [2, 3] ranks with roots [99]'"
    })
    void aValueThatIsNoneIsRefused(String option, String reason) throws Exception {
        Said said = verify("MeshReduce", "--ranks=2-3", option);

        assertThat(said.code()).isEqualTo(ExitCodes.USAGE);
        assertThat(said.err()).contains(reason);
    }

    @Test
    void anUnknownAlgorithmIsRefusedWithThoseThereAre() throws Exception {
        Said said = verify("RingAllReduse");

        assertThat(said.code()).isEqualTo(ExitCodes.USAGE);
        assertThat(said.err())
                .contains("There is no algorithm \"RingAllReduse\"")
                .contains("RingAllReduce")
                .contains("needs its full class name and --class-path");
    }

    @Test
    void anAlgorithmOfLevelsIsNamedByThem() throws Exception {
        Said said = verify("HierarchicalAllReduce:mesh+2xring+NHR", "--ranks", "6", "--ranks-per-server", "1,3,2+1+3");

        assertThat(said.code()).isEqualTo(ExitCodes.FINE);
        assertThat(said.text()).contains("HierarchicalAllReduce:mesh+2xring+NHR", "servers 1 ranks each, 3 ranks each");

        Said wrong = verify("HierarchicalAllReduce:mesh+rnig");
        assertThat(wrong.code()).isEqualTo(ExitCodes.USAGE);
        assertThat(wrong.err())
                .contains(
                        "There is no algorithm \"HierarchicalAllReduce:mesh+rnig\": there are no algorithms \"rnig\"");

        Said uneven = verify("AhcAllReduce", "--ranks", "6", "--ranks-per-server", "2+1+3,0+6");
        assertThat(uneven.code()).isEqualTo(ExitCodes.USAGE);
        assertThat(uneven.err()).contains("--ranks-per-server = 0+6: a server has at least one rank.");
        assertThat(verify("AhcAllReduce", "--ranks", "6", "--ranks-per-server", "2+1+3")
                        .text())
                .contains("; servers of 2, 1 and 3 ranks; ");
    }

    @Test
    void aClassPathThatDoesNotExistIsRefused() throws Exception {
        Said said = verify("--class-path", "/nowhere/classes", "org.example.Mine");

        assertThat(said.code()).isEqualTo(ExitCodes.USAGE);
        assertThat(said.err()).contains("--class-path: /nowhere/classes does not exist.");
    }

    @Test
    void aClassThatIsNoAlgorithmIsRefused() throws Exception {
        Said said = verify("--class-path", classes(), VerifyCommandTest.class.getName());

        assertThat(said.code()).isEqualTo(ExitCodes.USAGE);
        assertThat(said.err()).contains("is not a CollectiveAlgorithm");
    }

    @Test
    void aClassThatNeedsOthersThatAreMissingIsNotCalledUnknown() throws Exception {
        Said said = verify("--class-path", classes(), NeedsJUnit.class.getName());

        assertThat(said.code()).isEqualTo(ExitCodes.USAGE);
        assertThat(said.err())
                .contains(
                        "Class " + NeedsJUnit.class.getName() + " cannot be loaded: java.lang.NoClassDefFoundError: "
                                + "org/junit/jupiter/api/extension/Extension. --class-path must also name what the class needs.");
    }

    /** An extension of JUnit, which the command line does not have. */
    public abstract static class NeedsJUnit implements CollectiveAlgorithm, Extension {}

    /** Writes to others without asking them. */
    public static final class Impatient implements CollectiveAlgorithm {

        @Override
        public Collective collective() {
            return Collective.BROADCAST;
        }

        @Override
        public Optional<String> unsupportedReason(CollectiveCall call) {
            return call.memory() == MemoryMode.WINDOWS ? Optional.empty() : Optional.of("needs buffers in windows");
        }

        @Override
        public Resources resources(CollectiveCall call, int rank) {
            return Resources.onMainStream(Stream.iterate(0, each -> each + 1)
                    .limit(call.ranks())
                    .filter(peer -> (rank == call.root()) != (peer == call.root()))
                    .toList());
        }

        @Override
        public void orchestrate(Orchestration self) {
            int root = self.call().root();
            if (self.rank() != root) {
                self.main().rxDataSignal(self.link(root));
                return;
            }
            self.main().copy(self.input(), self.output());
            for (int peer = 0; peer < self.call().ranks(); peer++) {
                if (peer != root) {
                    Link link = self.link(peer);
                    self.main().put(link, self.input(), self.buffer(BufferKind.OUTPUT, peer));
                    self.main().txDataSignal(link);
                }
            }
        }
    }

    /** Asks before it writes, but by a DataSignal in place of an Ack. */
    public static final class Polite implements CollectiveAlgorithm {

        private final Impatient impatient = new Impatient();

        @Override
        public Collective collective() {
            return Collective.BROADCAST;
        }

        @Override
        public Optional<String> unsupportedReason(CollectiveCall call) {
            return call.servers().count() > 1 ? Optional.of("needs one server") : impatient.unsupportedReason(call);
        }

        @Override
        public Resources resources(CollectiveCall call, int rank) {
            return impatient.resources(call, rank);
        }

        @Override
        public void orchestrate(Orchestration self) {
            int root = self.call().root();
            if (self.rank() != root) {
                self.main().txDataSignal(self.link(root));
                self.main().rxDataSignal(self.link(root));
                return;
            }
            self.main().copy(self.input(), self.output());
            for (int peer = 0; peer < self.call().ranks(); peer++) {
                if (peer != root) {
                    Link link = self.link(peer);
                    self.main().rxDataSignal(link);
                    self.main().put(link, self.input(), self.buffer(BufferKind.OUTPUT, peer));
                    self.main().txDataSignal(link);
                }
            }
        }
    }

    /** Every rank waits for the others first. */
    public static final class Waiting implements CollectiveAlgorithm {

        private final Impatient impatient = new Impatient();

        @Override
        public Collective collective() {
            return Collective.BROADCAST;
        }

        @Override
        public Resources resources(CollectiveCall call, int rank) {
            return impatient.resources(call, rank);
        }

        @Override
        public void orchestrate(Orchestration self) {
            for (int peer = 0; peer < self.call().ranks(); peer++) {
                if (peer != self.rank()
                        && (peer == self.call().root()
                                || self.rank() == self.call().root())) {
                    self.main().rxAck(self.link(peer));
                    self.main().txAck(self.link(peer));
                }
            }
        }
    }
}
