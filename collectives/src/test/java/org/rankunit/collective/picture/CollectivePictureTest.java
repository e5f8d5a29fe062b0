package org.rankunit.collective.picture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rankunit.DType;
import org.rankunit.collective.CollectiveAlgorithm;
import org.rankunit.collective.algorithms.BuiltinAlgorithms;
import org.rankunit.collective.algorithms.halving.HalvingDoublingAllReduce;
import org.rankunit.collective.algorithms.mesh.AllGatherMeshOpbaseExecutor;
import org.rankunit.collective.algorithms.mesh.MeshAllToAll;
import org.rankunit.collective.algorithms.ring.RingAllReduce;
import org.rankunit.collective.call.BufferKind;
import org.rankunit.collective.call.Collective;
import org.rankunit.collective.call.CollectiveCall;
import org.rankunit.collective.call.MemoryMode;
import org.rankunit.collective.schedule.RankSchedule;
import org.rankunit.collective.schedule.Schedule;
import org.rankunit.collective.schedule.Task;
import org.rankunit.collective.schedule.TaskKind;
import org.rankunit.collective.simulate.LinkModel;
import org.rankunit.collective.simulate.Topology;
import org.rankunit.collective.simulate.Trace;
import org.rankunit.collective.verify.Verification;
import org.rankunit.collective.verify.Verifier;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

@Tag("unit")
class CollectivePictureTest {

    private static final Topology MACHINE = Topology.uniform(new LinkModel(2e-6, 56e9, 1, true));

    private static CollectiveCall call(CollectiveAlgorithm algorithm, int ranks) {
        CollectiveCall call = CollectiveCall.of(algorithm.collective(), ranks, DType.FLOAT32, 4L * ranks);
        return algorithm.unsupportedReason(call).isEmpty()
                ? call
                : call.withMemory(MemoryMode.SINGLE_OPERATOR, call.cclBytes());
    }

    private static Schedule ring(int ranks) {
        return Schedule.withLines(new RingAllReduce(), call(new RingAllReduce(), ranks));
    }

    private static Schedule without(Schedule schedule, int rank, Predicate<Task> condition) {
        RankSchedule own = schedule.rank(rank);
        List<Task> tasks = new ArrayList<>(own.tasks());
        tasks.remove(tasks.stream().filter(condition).findFirst().orElseThrow());
        return schedule.with(own.withTasks(tasks));
    }

    private static Document parsed(String svg) throws Exception {
        DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
        factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
        return factory.newDocumentBuilder().parse(new InputSource(new StringReader(svg)));
    }

    /** The groups of a picture that have this class. */
    private static List<Element> groups(Document picture, String look) {
        List<Element> found = new ArrayList<>();
        NodeList all = picture.getElementsByTagName("g");
        for (int i = 0; i < all.getLength(); i++) {
            Element group = (Element) all.item(i);
            if (List.of(group.getAttribute("class").split(" ")).contains(look)) {
                found.add(group);
            }
        }
        return found;
    }

    private static String title(Element group) {
        return group.getElementsByTagName("title").item(0).getTextContent();
    }

    private static long transfers(Schedule schedule) {
        return schedule.ranks().stream()
                .flatMap(rank -> rank.tasks().stream())
                .filter(task -> task.kind().isTransfer())
                .count();
    }

    /** What each rank's chunks hold at each step, as the picture has it: a line for each step. */
    private static String contents(Schedule schedule, BufferKind kind) {
        Trace trace = Trace.of(schedule, MACHINE);
        Contents contents = Contents.of(schedule, Chunks.of(schedule), Item.of(schedule, trace), true);
        return contents.states().values().stream()
                .map(state -> state.ranks().stream()
                        .map(rank -> rank.getOrDefault(kind, List.of()).stream()
                                .map(cell -> cell.label().isEmpty() ? "-" : cell.label())
                                .collect(Collectors.joining(" ")))
                        .collect(Collectors.joining(" | ")))
                .collect(Collectors.joining("\n", "", "\n"));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6})
    void everyAlgorithmHasAPictureWithAnArrowForEachTransfer(int ranks) throws Exception {
        for (CollectiveAlgorithm algorithm : BuiltinAlgorithms.all()) {
            CollectiveCall call = call(algorithm, ranks);
            if (algorithm.unsupportedReason(call).isPresent()) {
                continue;
            }
            Schedule schedule = Schedule.of(algorithm, call);
            String svg = CollectivePicture.of(schedule).svg();

            Document picture = parsed(svg);

            assertThat(groups(picture, "transfer")).as(algorithm.name()).hasSize((int) transfers(schedule));
            assertThat(svg).as(algorithm.name()).doesNotContain(" bad\"");
        }
    }

    @Test
    void theSameScheduleHasTheSamePicture() {
        assertThat(CollectivePicture.of(ring(4)).svg())
                .isEqualTo(CollectivePicture.of(ring(4)).svg());
    }

    @Test
    void theChunksOfARingHoldWhatTheTasksHavePutThere() {
        assertThat(contents(ring(4), BufferKind.OUTPUT)).isEqualTo("""
                        0 0 0 0 | 1 1 1 1 | 2 2 2 2 | 3 3 3 3
                        0 0 0 0+3 | 0+1 1 1 1 | 2 1+2 2 2 | 3 3 2+3 3
                        0 0 0+2+3 0+3 | 0+1 1 1 0+1+3 | 0..2 1+2 2 2 | 3 1..3 2+3 3
                        0 0..3 0+2+3 0+3 | 0+1 1 0..3 0+1+3 | 0..2 1+2 2 0..3 | 0..3 1..3 2+3 3
                        0..3 0..3 0+2+3 0+3 | 0+1 0..3 0..3 0+1+3 | 0..2 1+2 0..3 0..3 | 0..3 1..3 2+3 0..3
                        0..3 0..3 0+2+3 0..3 | 0..3 0..3 0..3 0+1+3 | 0..2 0..3 0..3 0..3 | 0..3 1..3 0..3 0..3
                        0..3 0..3 0..3 0..3 | 0..3 0..3 0..3 0..3 | 0..3 0..3 0..3 0..3 | 0..3 0..3 0..3 0..3
                        """);
    }

    @Test
    void theChunksOfHalvingAndDoublingAreTheSmallestParts() {
        Schedule schedule = Schedule.of(new HalvingDoublingAllReduce(), call(new HalvingDoublingAllReduce(), 4));

        assertThat(contents(schedule, BufferKind.OUTPUT)).isEqualTo("""
                        0 0 0 0 | 1 1 1 1 | 2 2 2 2 | 3 3 3 3
                        0+2 0+2 0 0 | 1+3 1+3 1 1 | 2 2 0+2 0+2 | 3 3 1+3 1+3
                        0..3 0+2 0 0 | 1+3 0..3 1 1 | 2 2 0..3 0+2 | 3 3 1+3 0..3
                        0..3 0..3 0 0 | 0..3 0..3 1 1 | 2 2 0..3 0..3 | 3 3 0..3 0..3
                        0..3 0..3 0..3 0..3 | 0..3 0..3 0..3 0..3 | 0..3 0..3 0..3 0..3 | 0..3 0..3 0..3 0..3
                        """);
    }

    @Test
    void anAllToAllTellsWhichPartOfWhoseInputAChunkIs() {
        Schedule schedule = Schedule.of(new MeshAllToAll(), call(new MeshAllToAll(), 2));

        assertThat(contents(schedule, BufferKind.OUTPUT)).endsWith("0:0 1:0 | 0:1 1:1\n");
    }

    @Test
    void anArrowTellsItsTaskAndTheLineThatQueuedIt() throws Exception {
        List<Element> arrows = groups(parsed(CollectivePicture.of(ring(2)).svg()), "transfer");

        assertThat(arrows)
                .extracting(CollectivePictureTest::title)
                .anySatisfy(title -> assertThat(title)
                        .startsWith("PUT_REDUCE output[0, 16) of rank 0 into output[0, 16) of rank 1, task ")
                        .contains(" of the main stream of rank 0 (RingAllReduce.java:")
                        .endsWith("0.0 us to 2.0 us"));
        assertThat(arrows)
                .allSatisfy(each -> assertThat(each.getAttribute("class")).contains("write inside"));
    }

    @Test
    void readsAndLinksBetweenServersLookDifferent() throws Exception {
        CollectiveCall call = call(new HalvingDoublingAllReduce(), 4).withRanksPerServer(2);

        Document picture = parsed(CollectivePicture.of(Schedule.of(new HalvingDoublingAllReduce(), call))
                .svg());

        assertThat(groups(picture, "transfer"))
                .extracting(each -> each.getAttribute("class"))
                .contains("transfer read inside", "transfer read between");
    }

    @Test
    void aDeadlockHasItsCircleInRed() throws Exception {
        Schedule broken = without(ring(3), 1, task -> task.kind() == TaskKind.POST);
        Verification found = Verifier.verify(broken);

        Document picture = parsed(
                CollectivePicture.of(broken).withFindings(found.findings()).svg());

        assertThat(found.findings()).isNotEmpty();
        assertThat(groups(picture, "stuck")).isNotEmpty();
        assertThat(groups(picture, "missing")).hasSize(2);
        assertThat(title(groups(picture, "missing").get(0))).startsWith("deadlock: ");
    }

    @Test
    void aRaceHasTheMissingEdge() throws Exception {
        CollectiveAlgorithm mesh = new AllGatherMeshOpbaseExecutor();
        Schedule broken = without(
                Schedule.withLines(mesh, call(mesh, 3)),
                1,
                task -> task.kind() == TaskKind.WAIT
                        && task.signalled() != null
                        && !task.signalled().isLocal());
        Verification found = Verifier.verify(broken);

        Document picture = parsed(
                CollectivePicture.of(broken).withFindings(found.findings()).svg());

        assertThat(found.findings()).isNotEmpty();
        assertThat(groups(picture, "missing")).isNotEmpty();
        assertThat(groups(picture, "bad")).isNotEmpty();
    }

    @Test
    void aWrongResultIsMarkedAtItsChunk() throws Exception {
        Schedule broken = without(ring(4), 2, task -> task.kind() == TaskKind.PUT);
        String svg = CollectivePicture.of(broken)
                .withFindings(Verifier.verify(broken).findings())
                .svg();

        assertThat(svg).contains("wrong result: output[").containsPattern("<rect class=\"cell [a-z0-9]+ bad\"");
    }

    @Test
    void textsAreEscaped() throws Exception {
        assertThat(Svg.escaped("a<b>&\"'\u0001\ud800")).isEqualTo("a&lt;b&gt;&amp;&quot;&#39;??");
        RingAllReduce named = new RingAllReduce();
        CollectiveAlgorithm evil = new Renamed(named, "<script>alert('1')</script>&amp;");
        Schedule schedule = Schedule.of(evil, call(named, 2));

        String svg = CollectivePicture.of(schedule).svg();

        assertThat(svg).doesNotContain("<script");
        assertThat(parsed(svg).getDocumentElement().getAttribute("aria-label"))
                .startsWith(evil.name() + ", all-reduce");
        assertThat(CollectivePicture.of(schedule).html()).doesNotContain("<script");
    }

    @Test
    void whatIsTooLargeGivesASentence() throws Exception {
        CollectivePicture many = CollectivePicture.of(ring(17));
        CollectivePicture long_ = CollectivePicture.of(ring(12));

        assertThat(many.unsupportedReason())
                .hasValueSatisfying(reason -> assertThat(reason)
                        .startsWith("RingAllReduce of 17 ranks has ")
                        .endsWith("a picture shows at most 16 ranks and 1,000 tasks"));
        assertThat(long_.unsupportedReason()).isPresent();
        assertThat(parsed(many.svg()).getDocumentElement().getTextContent())
                .contains(many.unsupportedReason().orElseThrow());
    }

    @Test
    void withoutSignalsItIsSmaller() throws Exception {
        String brief = CollectivePicture.of(ring(4)).withoutSignals().plainSvg();

        assertThat(brief).doesNotContain("<style>", "\"post\"", "\"wait\"").hasSizeLessThan(40_000);
        assertThat(groups(parsed(brief), "transfer")).hasSize(24);
    }

    @Test
    void setsOfRanksAreShort() {
        assertThat(Holdings.ranks(new int[] {1, 1, 1, 0, 1, 1, 0, 2})).isEqualTo("0..2+4+5+2x7");
        assertThat(Holdings.ranks(new int[] {0, 1, 0, 1})).isEqualTo("1+3");
    }

    @Test
    void aBarrierHasNoChunks() throws Exception {
        CollectiveAlgorithm barrier = BuiltinAlgorithms.all().stream()
                .filter(each -> each.collective() == Collective.BARRIER)
                .findFirst()
                .orElseThrow();

        assertThat(CollectivePicture.of(Schedule.of(barrier, call(barrier, 4))).svg())
                .doesNotContain("What each chunk holds", "class=\"cell");
    }
}
