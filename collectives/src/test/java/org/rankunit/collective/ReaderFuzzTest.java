package org.rankunit.collective;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.rankunit.DType;
import org.rankunit.collective.algorithms.ring.RingAllReduce;
import org.rankunit.collective.call.Collective;
import org.rankunit.collective.call.CollectiveCall;
import org.rankunit.collective.call.Servers;
import org.rankunit.collective.exchange.GoalFile;
import org.rankunit.collective.exchange.GoalFormatException;
import org.rankunit.collective.exchange.GoalProgram;
import org.rankunit.collective.exchange.LocalCost;
import org.rankunit.collective.exchange.chakra.ChakraFormatException;
import org.rankunit.collective.exchange.chakra.ChakraTrace;
import org.rankunit.collective.exchange.msccl.Examples;
import org.rankunit.collective.exchange.msccl.MscclFile;
import org.rankunit.collective.exchange.msccl.xml.MscclFormatException;
import org.rankunit.collective.schedule.Schedule;
import org.rankunit.collective.select.AlgorithmFile;
import org.rankunit.collective.select.HcclAlgo;
import org.rankunit.collective.simulate.TopologyFile;
import org.rankunit.collective.yaml.YamlException;
import org.rankunit.rules.FuzzTarget;
import org.rankunit.rules.FuzzedReaders;

/** The files of others: machines, choices of algorithms, programs, traces. */
class ReaderFuzzTest extends FuzzedReaders {

    private static final int MEBIBYTE = 1 << 20;

    private static final String GOAL = """
            num_ranks 2

            rank 0 {
            l1: calc 500 // a comment
            l2: send 64b to 1 tag 7
            l2 requires l1
            l3: recv 32b from -1 tag -1 cpu 1
            l4: calc 100 cpu 1
            l4 irequires l2 /* another
            one */
            l4 requires l3
            }

            rank 1 {
            l1: recv 64b from 0 tag 7
            l2: send 32b to 0 tag 7 cpu 2 nic 1
            l2 requires l1
            }
            """;

    /** It cannot be loaded. */
    static final class Broken {

        private static final int NEVER = Integer.parseInt("no number");

        int never() {
            return NEVER;
        }
    }

    @Override
    protected List<FuzzTarget<?>> targets() throws IOException {
        return List.of(topology(), algorithms(), hcclAlgo(), servers(), goal(), msccl(), chakra());
    }

    private static FuzzTarget<?> topology() {
        return FuzzTarget.ofFile("topology", "topology.yaml", TopologyFile::read)
                .refusesWith(YamlException.class)
                .from(
                        """
                        levels:
                          - {name: server, members: 8, latency_us: 2, bandwidth_gbps: 56, ports: 1, duplex: true}
                          - {name: 'a rack', members: 4, latency_us: 5, bandwidth_gbps: 25, oversubscription: 2}
                          - {name: "hall\\t", latency_us: 20, bandwidth_gbps: 25, oversubscription: 4}
                        costs: {task_us: 0.5, copy_gbps: 750, reduction_gbps: 483} # all
                        """,
                        """
                        levels:
                          - name: |
                              folded
                            latency_us: 2e0
                            bandwidth_gbps: 1_0
                        """,
                        "levels: &a [*a, !!int 1]",
                        "%YAML 1.2\n---\nlevels: []\n...\n---\n",
                        "? a\n: b",
                        "\ufefflevels: [")
                .from(new byte[] {'l', 'e', 'v', (byte) 0xff, ':', ' ', '1'})
                .fromLarge("levels: [{name: " + "a".repeat(10 * MEBIBYTE))
                .fromLarge("[".repeat(20_000))
                .fromLarge("{a: ".repeat(20_000))
                .fromLarge(" - ".repeat(20_000));
    }

    private static FuzzTarget<?> algorithms() {
        return FuzzTarget.ofFile("algorithm-file", "ccl.yaml", AlgorithmFile::read)
                .refusesWith(YamlException.class)
                .from(
                        """
                        collectives:
                          all-reduce: StagedRingAllReduce
                          all-gather: org.rankunit.collective.algorithms.ring.RingAllGather
                        defaults: {}
                        """,
                        "collectives: {reduce: java.lang.String}",
                        "collectives: {reduce: '[I'}",
                        "collectives: {all-reduce: 'Hierarchical(Mesh, Ring'}")
                .from("collectives: {all-reduce: " + Broken.class.getName() + "}");
    }

    private static FuzzTarget<?> hcclAlgo() {
        return FuzzTarget.ofBytes("hccl-algo", "HCCL_ALGO", input -> HcclAlgo.parse(new String(input, UTF_8)))
                .refusesWith(IllegalArgumentException.class)
                .from(
                        "level0:NA;level1:ring",
                        "allreduce=level0:NA;level1:ring/allgather=level0:NA;level1:NHR",
                        "level0:NA;level1:H-D_R/",
                        "=level0:NA;level1:NB");
    }

    private static FuzzTarget<?> servers() {
        return FuzzTarget.ofBytes("servers", input -> Servers.parse(new String(input, UTF_8)))
                .refusesWith(IllegalArgumentException.class)
                .from("4", "4+4+2", "9999999+9999999", "0+1");
    }

    private static FuzzTarget<?> goal() {
        return FuzzTarget.ofFile("goal", "program.goal", GoalFile::read)
                .refusesWith(GoalFormatException.class)
                .then(ReaderFuzzTest::requireRoundTrip)
                .from(GOAL, "num_ranks 1048576")
                .fromLarge("num_ranks 1\nrank 0 {" + "/**/".repeat(MEBIBYTE / 4) + "}")
                .fromLarge("num_ranks 1\nrank 0 {" + "/".repeat(MEBIBYTE) + "}")
                .fromLarge("num_ranks 1\nrank 0 {\n" + "a: calc 1\n".repeat(20_000) + "}");
    }

    private static void requireRoundTrip(GoalProgram program) throws IOException {
        StringWriter text = new StringWriter();
        GoalFile.write(program, text);
        assertThat(GoalFile.read(new StringReader(text.toString()))).isEqualTo(program);
    }

    private static FuzzTarget<?> msccl() throws IOException {
        FuzzTarget<?> target = FuzzTarget.ofFile("msccl", "algorithm.xml", MscclFile::read)
                .refusesWith(MscclFormatException.class)
                .then(algorithm -> assertThat(algorithm.name()).isNotBlank());
        Examples.small().values().forEach(target::from);
        Path exported = Files.createTempFile("exported", ".xml");
        MscclFile.write(ring(), exported);
        target.from(Files.readAllBytes(exported));
        Files.delete(exported);
        String first = Examples.small().values().iterator().next();
        return target.from(
                        "<?xml version='1.0' encoding='UTF-16'?>" + first,
                        "<?xml encoding='IBM-Thai'?><algo/>",
                        "<!DOCTYPE a []")
                .from("<!DOCTYPE algo [<!ENTITY a 'aaaaaaaa'><!ENTITY b '&a;&a;&a;&a;'>]><algo name='&b;'/>")
                .fromLarge("<algo>".repeat(20_000));
    }

    private static Schedule ring() {
        CollectiveCall call = CollectiveCall.of(Collective.ALL_REDUCE, 2, DType.FLOAT32, 4);
        return Schedule.of(new RingAllReduce(), call);
    }

    /** The file of rank 1 stays as it is. */
    private static FuzzTarget<?> chakra() throws IOException {
        Path folder = Files.createTempDirectory("traces");
        List<Path> written = ChakraTrace.write(ring(), LocalCost.FREE, folder);
        byte[] first = Files.readAllBytes(written.get(0));
        byte[] second = Files.readAllBytes(written.get(1));
        for (Path file : written) {
            Files.delete(file);
        }
        Files.delete(folder);
        return FuzzTarget.ofFile("chakra", "trace.0.et", file -> {
                    Path other = file.resolveSibling("trace.1.et");
                    if (!Files.exists(other)) {
                        Files.write(other, second);
                    }
                    return ChakraTrace.read(file);
                })
                .refusesWith(ChakraFormatException.class)
                .naming("trace.")
                .then(ReaderFuzzTest::requireRoundTrip)
                .from(first);
    }
}
