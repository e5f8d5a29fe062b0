package org.rankunit.engine.slurm.step;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.rankunit.engine.slurm.job.LostNodes;
import org.rankunit.engine.slurm.job.NodeAddresses;

/**
 * Asks nodes whether they answer. Each node is asked by one thread at a time, no matter how many ask, and one that does not answer is
 * lost for the rest of the run. Thread-safe.
 */
final class NodeWatch {

    private final NodeAddresses addresses;
    private final LostNodes lost;
    private final Duration limit;

    /** Who waits for the answer of a node. Guarded by this. */
    private final Map<String, List<Consumer<String>>> asking = new HashMap<>();

    /** @param limit how long a node may take to answer */
    NodeWatch(NodeAddresses addresses, LostNodes lost, Duration limit) {
        this.addresses = addresses;
        this.lost = lost;
        this.limit = limit;
    }

    /** Ask a node; if it does not answer, {@code whenLost} receives a clause that says so, on another thread. */
    void ask(String node, Consumer<String> whenLost) {
        synchronized (this) {
            List<Consumer<String>> others = asking.get(node);
            if (others != null) {
                others.add(whenLost);
                return;
            }
            asking.put(node, new ArrayList<>(List.of(whenLost)));
        }
        Thread thread = new Thread(() -> ask(node), "rankunit-ask-" + node);
        thread.setDaemon(true);
        thread.start();
    }

    /** Whether nothing more is started on a node, for whatever reason. */
    boolean isLost(String node) {
        return lost.reason(node).isPresent();
    }

    private void ask(String node) {
        Optional<String> silent = addresses.whySilent(node, limit);
        silent.ifPresent(why -> lost.add(node, "it does not answer (" + why + ")"));
        List<Consumer<String>> waiting;
        synchronized (this) {
            waiting = List.copyOf(asking.getOrDefault(node, List.of()));
            asking.remove(node);
        }
        silent.ifPresent(why -> waiting.forEach(
                each -> each.accept("was lost with its node: " + node + " does not answer (" + why + ")")));
    }
}
