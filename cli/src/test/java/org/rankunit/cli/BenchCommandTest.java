package org.rankunit.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.rankunit.cli.OtherJvm.Said;

/** {@code rankunit bench} with ranks that are processes. */
@Tag("ranks")
@Timeout(180)
class BenchCommandTest {

    @TempDir
    private static Path pool;

    @RegisterExtension
    static final CommandsInOneJvm COMMANDS = new CommandsInOneJvm();

    @TempDir
    private Path folder;

    private static Said bench(String... arguments) throws Exception {
        return COMMANDS.run(all(arguments));
    }

    /** In a process of its own, as users have it: it knows only the classes that it is told of. */
    private static Said benchAlone(String... arguments) throws Exception {
        return OtherJvm.rankunit(all(arguments));
    }

    private static String[] all(String... arguments) {
        return Stream.concat(
                        Stream.of("bench", "--platform=a2a3sim", "--pool-dir=" + pool, "--iters=3"),
                        Stream.of(arguments))
                .toArray(String[]::new);
    }

    private static String classes() throws URISyntaxException {
        return Path.of(BenchCommandTest.class
                        .getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .toURI())
                .toString();
    }

    private static List<String> rows(Said said) {
        return said.out().stream().filter(line -> !line.startsWith("#")).toList();
    }

    @Test
    void everySizeIsMeasuredOutOfPlaceAndInPlaceAndRight() throws Exception {
        Said said = benchAlone(
                "all-reduce", "-b", "8", "-e", "8K", "-f", "32", "--algorithm", "RingAllReduce,MeshAllReduce");

        assertThat(said.code()).as(said.err()).isZero();
        assertThat(rows(said))
                .hasSize(6)
                .allSatisfy(
                        row -> assertThat(row)
                                .matches(
                                        " +\\d+ +\\d+ +float +sum +-1( +[\\d.]+ +[\\d.]+ +[\\d.]+ +0){2}  (Ring|Mesh)AllReduce"));
        assertThat(rows(said).get(1)).startsWith("         256            64     float     sum      -1");
        assertThat(said.text())
                .startsWith("# rankunit bench all-reduce")
                .contains("# a2a3sim is simulated: bandwidths are those of this machine's memory")
                .contains("# Out of bounds values : 0 OK")
                .containsPattern("# Avg bus bandwidth    : \\d");
    }

    @ParameterizedTest
    @ValueSource(strings = {"all-gather", "reduce-scatter", "broadcast", "reduce", "scatter", "gather", "all-to-all"})
    void threeRanksHaveRightResultsForEveryCollective(String collective) throws Exception {
        Said said = bench(collective, "--ranks=3", "-b", "1K", "-e", "1K", "--root=all", "-d", "half,int8", "-a", "3");

        assertThat(said.code()).as(said.err()).isZero();
        boolean rooted = List.of("broadcast", "reduce", "scatter", "gather").contains(collective);
        assertThat(rows(said)).hasSize(rooted ? 6 : 2);
        assertThat(rows(said).get(0).contains("N/A")).isEqualTo(collective.equals("all-to-all"));
        assertThat(said.text()).contains("# Out of bounds values : 0 OK");
    }

    @Test
    void allTypesAndReductionsAreRightOnThreeRanks() throws Exception {
        Said said = bench("all-reduce", "--ranks=3", "-b", "4K", "-e", "4K", "-d", "all", "-o", "all");

        assertThat(said.code()).as(said.text()).isZero();
        assertThat(rows(said)).hasSize(12 * 4);
    }

    @Test
    void anAlgorithmForBuffersOfTheCallerIsMeasuredToo() throws Exception {
        Said said = bench("all-gather", "-b", "4K", "-e", "4K", "--algorithm", "AllGatherMeshOpbaseExecutor");

        assertThat(said.code()).as(said.err()).isZero();
        assertThat(rows(said)).singleElement().asString().endsWith("AllGatherMeshOpbaseExecutor");
    }

    @Test
    void aProgramOfMscclForCallsInPlaceIsMeasuredThere(@TempDir Path folder) throws Exception {
        Path program = Files.writeString(folder.resolve("swap.xml"), """
                <algo name="swap" nchunksperloop="1" nchannels="1" proto="Simple" ngpus="2" coll="allreduce" inplace="1">
                %s%s</algo>
                """.formatted(swap(0), swap(1)));

        Said said = bench("all-reduce", "-b", "4K", "-e", "4K", "--algorithm", program.toString());

        assertThat(said.code()).as(said.err()).isZero();
        assertThat(rows(said))
                .singleElement()
                .asString()
                .matches(" +4096 +1024 +float +sum +-1( +N/A){4} +[\\d.]+ +[\\d.]+ +[\\d.]+ +0  swap");
    }

    /** One of two ranks that send each other their inputs and add what they receive. */
    private static String swap(int rank) {
        return """
                <gpu id="%d" i_chunks="1" o_chunks="0" s_chunks="1">
                <tb id="0" send="%d" recv="%d" chan="0">
                <step s="0" type="s" srcbuf="i" srcoff="0" dstbuf="s" dstoff="0" cnt="1" depid="-1" deps="-1" hasdep="0"/>
                <step s="1" type="r" srcbuf="i" srcoff="0" dstbuf="s" dstoff="0" cnt="1" depid="-1" deps="-1" hasdep="0"/>
                <step s="2" type="re" srcbuf="s" srcoff="0" dstbuf="i" dstoff="0" cnt="1" depid="-1" deps="-1" hasdep="0"/>
                </tb>
                </gpu>
                """.formatted(rank, 1 - rank, 1 - rank);
    }

    @Test
    void wrongValuesAreCountedAndFailTheCommand() throws Exception {
        Said said = benchAlone(
                "broadcast",
                "--class-path",
                classes(),
                "--algorithm",
                Misbehaving.Forgetful.class.getName(),
                "-b",
                "64",
                "-e",
                "64");

        assertThat(said.code()).as(said.err()).isEqualTo(ExitCodes.NOT_WELL);
        // All 16 elements of rank 1, and half of the root's; in place, the root has them all.
        assertThat(rows(said)).singleElement().asString().containsPattern(" 24( +[\\d.]+){3} +16  Forgetful$");
        assertThat(said.text()).contains("# Out of bounds values : 40 FAILED");
    }

    @Test
    void whatIsNotCheckedIsNotCountedAsWrong() throws Exception {
        Said said = benchAlone(
                "broadcast",
                "--class-path",
                classes(),
                "--algorithm",
                Misbehaving.Forgetful.class.getName(),
                "-b",
                "64",
                "-e",
                "64",
                "--check=0");

        assertThat(said.code()).as(said.err()).isZero();
        assertThat(rows(said)).singleElement().asString().contains("N/A");
    }

    @Test
    void aRankThatDiesIsNamedAndTheOthersEnd() throws Exception {
        long before = System.nanoTime();
        Said said = benchAlone(
                "broadcast",
                "--ranks=3",
                "--class-path",
                classes(),
                "--algorithm",
                Misbehaving.Deadly.class.getName(),
                "-b",
                "64",
                "-e",
                "64");

        assertThat(said.code()).as(said.err()).isEqualTo(ExitCodes.NOT_WELL);
        assertThat(said.err())
                .containsPattern(
                        "rank 1 \\(device \\d+ of a2a3sim, pid \\d+\\) ended with exit code 7 before it was done");
        assertThat(System.nanoTime() - before).isLessThan(60_000_000_000L);
        assertNothingIsLeft(said);
    }

    @Test
    void theReasonOfARankThatFailsIsPrinted() throws Exception {
        Said said = benchAlone(
                "broadcast",
                "--ranks=3",
                "--class-path",
                classes(),
                "--algorithm",
                Misbehaving.Broken.class.getName(),
                "-b",
                "64",
                "-e",
                "64");

        assertThat(said.code()).as(said.err()).isEqualTo(ExitCodes.NOT_WELL);
        assertThat(said.err()).containsPattern("rank 2 \\(.*\\) failed: rank 2 cannot");
        assertNothingIsLeft(said);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aCommandThatIsEndedTakesItsRanksAlong(boolean gently) throws Exception {
        try (OtherJvm jvm = OtherJvm.running(
                "bench",
                "all-reduce",
                "--platform=a2a3sim",
                "--pool-dir=" + pool,
                "-b",
                "64",
                "-e",
                "64",
                "-n",
                "1000000000")) {
            long pid = pidIn(jvm.awaitLine("#  Rank 1"));
            assertThat(ProcessHandle.of(pid)).isPresent();

            jvm.end(gently);

            ProcessHandle.of(pid)
                    .ifPresent(rank ->
                            rank.onExit().orTimeout(20, TimeUnit.SECONDS).join());
            assertNoDeviceIsHeld();
        }
    }

    private static long pidIn(String line) {
        return Long.parseLong(line.replaceAll(".* Pid (\\d+) .*", "$1"));
    }

    private static void assertNothingIsLeft(Said said) throws Exception {
        assertThat(said.out()).anyMatch(line -> line.startsWith("#  Rank"));
        for (String line : said.out()) {
            if (line.startsWith("#  Rank")) {
                assertThat(ProcessHandle.of(pidIn(line)).filter(ProcessHandle::isAlive))
                        .isEmpty();
            }
        }
        assertNoDeviceIsHeld();
    }

    private static void assertNoDeviceIsHeld() throws Exception {
        assertThat(COMMANDS.run("devices", "--platform=a2a3sim", "--pool-dir=" + pool)
                        .text())
                .doesNotContain("pid ");
    }

    @Test
    void resultsAreWrittenAsJsonWithTheFieldsOfNcclTests() throws Exception {
        Path file = folder.resolve("results.json");

        Said said = bench("all-to-all", "-b", "1K", "-e", "2K", "-f", "2", "-J", file.toString());

        assertThat(said.code()).as(said.err()).isZero();
        List<String> fields = new ArrayList<>();
        try (JsonParser json = new JsonFactory().createParser(Files.readString(file))) {
            for (JsonToken token = json.nextToken(); token != null; token = json.nextToken()) {
                if (token == JsonToken.FIELD_NAME) {
                    fields.add(json.currentName());
                }
            }
        }
        assertThat(fields)
                .startsWith("version", "start_time", "config", "collective", "ranks", "minimum_bytes")
                .containsSubsequence(
                        "devices",
                        "rank",
                        "pid",
                        "results",
                        "size",
                        "count",
                        "type",
                        "redop",
                        "root",
                        "algorithm",
                        "out_of_place",
                        "time",
                        "alg_bw",
                        "bus_bw",
                        "nwrong",
                        "in_place",
                        "actual_iterations",
                        "out_of_bounds",
                        "count",
                        "okay",
                        "average_bus_bandwidth",
                        "bandwidth",
                        "end_time");
        assertThat(Files.readString(file)).contains("\"in_place\" : null", "\"step_factor\" : 2", "\"nwrong\" : 0");
    }

    @Test
    void aPageShowsACurveForEachAlgorithm() throws Exception {
        Path file = folder.resolve("plot.html");

        Said said = bench(
                "all-gather",
                "-b",
                "1K",
                "-e",
                "16K",
                "-f",
                "4",
                "--algorithm",
                "ring,MeshAllGather",
                "--plot",
                file.toString());

        assertThat(said.code()).as(said.err()).isZero();
        assertThat(Files.readString(file))
                .contains("<h1>Bus bandwidth of all-gather, 2 ranks of a2a3sim</h1>", "<th scope=\"row\">16,384</th>")
                .containsPattern("(?s)<polyline.*RingAllGather</text>.*<polyline.*MeshAllGather</text>");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            sort                                      | There is no collective "sort". Give one of all-gather,
            all-reduce --algorithm=Rong               | --algorithm = "Rong": There is no algorithm "Rong".
            all-reduce --algorithm=RingAllGather      | is an algorithm for all-gather, not for all-reduce. For all-reduce there are
            gather --algorithm=ring                   | this family has no algorithm for gather
            all-gather --algorithm=MeshBroadcast      | is an algorithm for broadcast
            all-reduce --ranks=17                     | a2a3sim has 16 devices for this process. Use fewer ranks, or --simulator-devices 17.
            all-reduce --ranks=65                     | expected 1 to 64 ranks
            all-reduce -b 6 -e 64                     | A size of 6 bytes is not a multiple of a float, which has 4
            all-gather --ranks=3 -b 8                 | all-gather of 3 ranks needs at least 12 bytes, one float for each rank
            all-reduce -b 8 -e 64 -f 1                | --stepfactor = 1: sizes would not grow; give 2 or more.
            all-reduce -b 64 -e 8                     | --minbytes = "64" is more than --maxbytes = "8"
            all-reduce -b 8x                          | --minbytes = "8x": expected a number of bytes such as 8, 64K
            all-reduce -b 8 -f 2 -i 8                 | --stepbytes and --stepfactor exclude each other
            all-reduce -d bool                        | --datatype = "bool": all-reduce is measured with half, bfloat16, float
            all-reduce -o avg                         | --op = "avg": expected one of sum
            broadcast -r 2                            | --root = "2": expected a rank from 0 to 1, or all.
            all-reduce -a 4                           | --average = 4: expected 0 (rank 0)
            all-reduce --iters 0                      | --iters = 0: expected 1 or more
            all-reduce --plot x.png                   | expected a name that ends in .html or .svg
            all-reduce -J /nowhere/at/all.json        | give a file in a folder that exists
            """)
    void whatCannotBeMeasuredIsRefused(String arguments, String reason) throws Exception {
        Said said = COMMANDS.run(Stream.concat(
                        Stream.of("bench", "--platform=a2a3sim", "--pool-dir=" + pool),
                        Stream.of(arguments.split(" +")))
                .toArray(String[]::new));

        assertThat(said.code()).as(said.err()).isEqualTo(ExitCodes.USAGE);
        assertThat(said.err()).contains(reason).doesNotContain("\tat ");
        assertThat(said.out()).isEmpty();
    }

    @Test
    void anAlgorithmThatDoesNotApplySaysWhyNot() throws Exception {
        Said said = benchAlone(
                "broadcast",
                "--ranks=3",
                "--class-path",
                classes(),
                "--algorithm",
                Misbehaving.OnlyForTwo.class.getName());

        assertThat(said.code()).isEqualTo(ExitCodes.USAGE);
        assertThat(said.err()).contains("OnlyForTwo does not apply to broadcast of 3 ranks", "it needs two ranks");
    }
}
