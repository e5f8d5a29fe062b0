package org.rankunit.distributed.pe.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.rankunit.collective.yaml.YamlException;
import org.rankunit.rules.FuzzTarget;
import org.rankunit.rules.FuzzedReaders;

/** The files that describe machines of processing elements, and their algorithms. */
class ReaderFuzzTest extends FuzzedReaders {

    @Override
    protected List<FuzzTarget<?>> targets() {
        return List.of(
                FuzzTarget.ofFile("pe-machine", "topology.yaml", MachineConfig::read)
                        .refusesWith(YamlException.class)
                        .then(config -> assertThat(config.shape().pes()).isPositive())
                        .from("""
                                system: {sips: {count: 2}}
                                sip: {cube_mesh: {w: 3, h: 4}}
                                cube: {pe_layout: {pe_per_corner: 5, corners: 4}}
                                memory: {hbm: {latency_ns: 7, bandwidth_gbps: 9.5}}
                                links: {sip: {latency_ns: 3}}
                                costs: {poll_ns: 11, issue_ns: 0}
                                """),
                FuzzTarget.ofFile("pe-algorithms", "ccl.yaml", CclConfig::read)
                        .refusesWith(YamlException.class)
                        .then(config -> config.algorithms().keySet().forEach(config::named))
                        .from("""
                                defaults: {algorithm: one, buffer_kind: hbm, backpressure: poll, n_slots: 2, slot_size: 64}
                                algorithms:
                                  one: {module: org.rankunit.distributed.pe.algorithms.HelloSend, topology: ring_1d, n_elem: 7}
                                """, "algorithms: {one: {module: '[[I', topology: ring_1d}}"));
    }
}
