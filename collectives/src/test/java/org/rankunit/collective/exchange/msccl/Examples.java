package org.rankunit.collective.exchange.msccl;

import java.util.LinkedHashMap;
import java.util.Map;

/** Programs as MSCCL has them, written by hand from what steps mean. */
public final class Examples {

    private Examples() {}

    /** Programs of few steps, so that all orders of them can be tried. */
    public static Map<String, String> small() {
        Map<String, String> all = new LinkedHashMap<>();
        all.put("ring of 2", ringAllReduce(2, "Simple", false));
        all.put("ring of 3", ringAllReduce(3, "LL", false));
        all.put("ring of 3 in place", ringAllReduce(3, "Simple", true));
        all.put("all pairs of 2", allPairsAllReduce(2));
        all.put("all pairs of 3", allPairsAllReduce(3));
        all.put("all pairs of 3 in place", allPairsInPlace(3));
        all.put("hierarchical all-gather", hierarchicalAllGather(2, 2));
        all.put("both send first", bothSendFirst(2, "Simple"));
        all.put("eight sends first", bothSendFirst(4, "LL128"));
        all.put("chain", chainBroadcast(3, 3));
        all.put("reduce", chainReduce(3));
        all.put("all to all", allToAll(3));
        all.put("reduce-scatter", reduceScatter(3));
        all.put("two channels", twoChannels());
        return all;
    }

    private static String in(boolean inPlace) {
        return inPlace ? "i" : "o";
    }

    /** A threadblock on each gpu that receives from the one before and sends to the next one. */
    static String ringAllReduce(int n, String proto, boolean inPlace) {
        XmlText xml = new XmlText("allreduce", proto, n, n, inPlace);
        String to = in(inPlace);
        for (int gpu = 0; gpu < n; gpu++) {
            xml.gpu(gpu, n, n, 0).block((gpu + 1) % n, (gpu + n - 1) % n, 0);
            xml.step("s", "i" + gpu, "i" + gpu, 1);
            for (int step = 1; step < n; step++) {
                int chunk = Math.floorMod(gpu - step, n);
                boolean isLast = step == n - 1;
                xml.step(isLast ? "rrcs" : "rrs", "i" + chunk, to + chunk, 1);
            }
            for (int step = 0; step < n - 1; step++) {
                int chunk = Math.floorMod(gpu - step, n);
                xml.step(step == n - 2 ? "r" : "rcs", to + chunk, to + chunk, 1);
            }
        }
        return xml.toString();
    }

    /** Everyone sends a chunk to everyone; a threadblock of its own reduces what came into scratch memory, and sends the result on. */
    static String allPairsAllReduce(int n) {
        XmlText xml = new XmlText("allreduce", "LL", n, n, false);
        for (int gpu = 0; gpu < n; gpu++) {
            xml.gpu(gpu, n, n, n);
            // The reducing threadblock is the last one, number n - 1.
            for (int hop = 1; hop < n; hop++) {
                int peer = (gpu + hop) % n;
                xml.block(peer, peer, 0)
                        .step("s", "i" + peer, "s" + gpu, 1)
                        .step("r", "i" + gpu, "s" + peer, 1, -1, -1, true)
                        .step("s", "o" + gpu, "o" + gpu, 1, n - 1, n - 1, false)
                        .step("r", "o" + peer, "o" + peer, 1);
            }
            xml.block(-1, -1, 0).step("cpy", "i" + gpu, "o" + gpu, 1);
            for (int hop = 1; hop < n; hop++) {
                xml.step("re", "s" + (gpu + hop) % n, "o" + gpu, 1, hop - 1, 1, hop == n - 1);
            }
        }
        return xml.toString();
    }

    /** The same in the input, with the reducing threadblock first: as the compiler of MSCCL orders threadblocks. */
    static String allPairsInPlace(int n) {
        XmlText xml = new XmlText("allreduce", "LL", n, n, true);
        for (int gpu = 0; gpu < n; gpu++) {
            xml.gpu(gpu, n, 0, n - 1).block(-1, -1, 0);
            for (int block = 1; block < n; block++) {
                xml.step("re", "s" + (block - 1), "i" + gpu, 1, block, 1, block == n - 1);
            }
            for (int block = 1; block < n; block++) {
                int peer = block <= gpu ? block - 1 : block;
                xml.block(peer, peer, 0)
                        .step("s", "i" + peer, "s" + (gpu < peer ? gpu : gpu - 1), 1)
                        .step("r", "i" + gpu, "s" + (block - 1), 1, -1, -1, true)
                        .step("s", "i" + gpu, "i" + gpu, 1, 0, n - 2, false)
                        .step("r", "i" + peer, "i" + peer, 1);
            }
        }
        return xml.toString();
    }

    /** First among the gpus with the same number on all servers, then inside a server: all that the first round has brought. */
    static String hierarchicalAllGather(int servers, int local) {
        int n = servers * local;
        XmlText xml = new XmlText("allgather", servers > 2 ? "LL" : "Simple", n, n, false);
        for (int gpu = 0; gpu < n; gpu++) {
            int server = gpu / local;
            int own = gpu % local;
            xml.gpu(gpu, 1, n, 0).block(-1, -1, 0).step("cpy", "i0", "o" + gpu, 1, -1, -1, true);
            for (int other = 1; other < servers; other++) {
                int to = (server + other) % servers * local + own;
                int from = Math.floorMod(server - other, servers) * local + own;
                xml.block(to, from, 0).step("s", "i0", "o" + gpu, 1).step("r", "i0", "o" + from, 1, -1, -1, true);
            }
            for (int other = 1; other < local; other++) {
                int to = server * local + (own + other) % local;
                int from = server * local + Math.floorMod(own - other, local);
                xml.block(to, from, 1).step("s", "o" + gpu, "o" + gpu, 1, 0, 0, false);
                for (int far = 1; far < servers; far++) {
                    int arrived = Math.floorMod(server - far, servers) * local + own;
                    xml.step("s", "o" + arrived, "o" + arrived, 1, far, 1, false);
                }
                xml.step("r", "o" + from, "o" + from, 1);
                for (int far = 1; far < servers; far++) {
                    int arrives = Math.floorMod(server - far, servers) * local + from % local;
                    xml.step("r", "o" + arrives, "o" + arrives, 1);
                }
            }
        }
        return xml.toString();
    }

    /** Right only if sends do not wait for receives; the source is overwritten in between. */
    static String bothSendFirst(int chunks, String proto) {
        XmlText xml = new XmlText("alltoall", proto, 2, 2 * chunks, false);
        for (int gpu = 0; gpu < 2; gpu++) {
            int peer = 1 - gpu;
            xml.gpu(gpu, 2 * chunks, 2 * chunks, 1).block(peer, peer, 0);
            for (int chunk = 0; chunk < chunks; chunk++) {
                xml.step("cpy", "i" + (peer * chunks + chunk), "s0", 1).step("s", "s0", "s0", 1);
            }
            for (int chunk = 0; chunk < chunks; chunk++) {
                xml.step("r", "s0", "o" + (peer * chunks + chunk), 1);
            }
            xml.step("cpy", "i" + gpu * chunks, "o" + gpu * chunks, chunks);
        }
        return xml.toString();
    }

    static String chainBroadcast(int n, int chunks) {
        XmlText xml = new XmlText("broadcast", "Simple", n, chunks, false);
        for (int gpu = 0; gpu < n; gpu++) {
            xml.gpu(gpu, chunks, chunks, 0).block(gpu + 1 < n ? gpu + 1 : -1, gpu - 1, 0);
            for (int chunk = 0; chunk < chunks; chunk++) {
                xml.step(gpu == 0 ? "s" : gpu == n - 1 ? "r" : "rcs", "i" + chunk, "o" + chunk, 1);
            }
            if (gpu == 0) {
                xml.step("cpy", "i0", "o0", chunks);
            }
        }
        return xml.toString();
    }

    /** From the last gpu to the first one, whose input the last step does not change. */
    static String chainReduce(int n) {
        XmlText xml = new XmlText("reduce", "Simple", n, 2, false);
        for (int gpu = 0; gpu < n; gpu++) {
            xml.gpu(gpu, 2, gpu == 0 ? 2 : 0, 0).block(gpu - 1, gpu + 1 < n ? gpu + 1 : -1, 0);
            for (int chunk = 0; chunk < 2; chunk++) {
                xml.step(gpu == 0 ? "rrc" : gpu == n - 1 ? "s" : "rrs", "i" + chunk, "o" + chunk, 1);
            }
        }
        return xml.toString();
    }

    static String allToAll(int n) {
        XmlText xml = new XmlText("alltoall", "LL", n, n, false);
        for (int gpu = 0; gpu < n; gpu++) {
            xml.gpu(gpu, n, n, 0);
            for (int hop = 1; hop < n; hop++) {
                int to = (gpu + hop) % n;
                int from = Math.floorMod(gpu - hop, n);
                xml.block(to, from, 0).step("s", "i" + to, "o" + gpu, 1).step("r", "i" + gpu, "o" + from, 1);
            }
            xml.block(-1, -1, 0).step("cpy", "i" + gpu, "o" + gpu, 1);
        }
        return xml.toString();
    }

    /** What has come waits in scratch memory; several dependencies need nops. */
    static String reduceScatter(int n) {
        XmlText xml = new XmlText("reduce_scatter", "LL128", n, n, false);
        for (int gpu = 0; gpu < n; gpu++) {
            xml.gpu(gpu, n, 1, n);
            for (int hop = 1; hop < n; hop++) {
                int peer = (gpu + hop) % n;
                xml.block(peer, peer, 0)
                        .step("s", "i" + peer, "s" + gpu, 1)
                        .step("r", "i" + gpu, "s" + peer, 1, -1, -1, true);
            }
            xml.block(-1, -1, 0);
            for (int hop = 1; hop < n - 1; hop++) {
                xml.step("nop", "i-1", "o-1", 0, hop - 1, 1, false);
            }
            xml.step("cpy", "i" + gpu, "o0", 1, n - 2, 1, false);
            for (int hop = 1; hop < n; hop++) {
                xml.step("re", "s" + (gpu + hop) % n, "o0", 1);
            }
        }
        return xml.toString();
    }

    /** Two connections of the same gpus; a wait that a later step ends. */
    static String twoChannels() {
        XmlText xml = new XmlText("allgather", "Simple", 2, 4, false);
        for (int gpu = 0; gpu < 2; gpu++) {
            int peer = 1 - gpu;
            xml.gpu(gpu, 2, 4, 2);
            xml.block(peer, peer, 0)
                    .step("s", "i0", "s0", 1)
                    .step("r", "i0", "s0", 1)
                    .step("cpy", "s0", "o" + 2 * peer, 1, -1, -1, true);
            xml.block(peer, peer, 1).step("s", "i1", "s0", 1).step("r", "i1", "s0", 1, 0, 1, false);
            xml.step("cpy", "s0", "o" + (2 * peer + 1), 1).step("cpy", "i0", "o" + 2 * gpu, 2);
        }
        return xml.toString();
    }
}
