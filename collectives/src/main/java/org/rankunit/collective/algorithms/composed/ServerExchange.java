package org.rankunit.collective.algorithms.composed;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.rankunit.collective.Link;
import org.rankunit.collective.Orchestration;
import org.rankunit.collective.TaskStream;
import org.rankunit.collective.call.CollectiveCall;
import org.rankunit.collective.call.Servers;

/**
 * Who reads from whom between servers of different size.
 *
 * @param sources those from which a rank reads, the ones on the next server first
 * @param readers those that read from it
 */
record ServerExchange(List<Integer> sources, List<Integer> readers) {

    /** Each rank of a server is read by one rank of each other server: the one at the same place, modulo the size of that server. */
    static ServerExchange eachIsRead(CollectiveCall call, int rank) {
        Servers servers = call.servers();
        int own = servers.of(rank);
        int place = rank - servers.first(own);
        List<Integer> sources = new ArrayList<>();
        List<Integer> readers = new ArrayList<>();
        for (int k = 1; k < servers.count(); k++) {
            int other = (own + k) % servers.count();
            for (int theirs = place; theirs < servers.size(other); theirs += servers.size(own)) {
                sources.add(servers.first(other) + theirs);
            }
            readers.add(servers.first(other) + place % servers.size(other));
        }
        return new ServerExchange(sources, readers);
    }

    /** Each rank of a server reads from one rank of each other server, by the same rule. */
    static ServerExchange eachReads(CollectiveCall call, int rank) {
        ServerExchange isRead = eachIsRead(call, rank);
        List<Integer> thoseThatWouldRead = isRead.readers;
        List<Integer> thoseThatWouldBeRead = isRead.sources;
        return new ServerExchange(thoseThatWouldRead, thoseThatWouldBeRead);
    }

    List<Integer> links() {
        Set<Integer> links = new LinkedHashSet<>(sources);
        links.addAll(readers);
        return List.copyOf(links);
    }

    /** Read from one source after the other, when all have come so far; then wait until all have read. */
    void read(Orchestration self, Consumer<Link> one) {
        TaskStream main = self.main();
        readers.forEach(peer -> main.txAck(self.link(peer)));
        sources.forEach(peer -> main.rxAck(self.link(peer)));
        sources.forEach(peer -> one.accept(self.link(peer)));
        sources.forEach(peer -> main.txDataSignal(self.link(peer)));
        readers.forEach(peer -> main.rxDataSignal(self.link(peer)));
    }

    /** The ranks of a server. */
    static List<Integer> ranks(Servers servers, int server) {
        return IntStream.range(0, servers.size(server))
                .mapToObj(place -> servers.first(server) + place)
                .toList();
    }
}
