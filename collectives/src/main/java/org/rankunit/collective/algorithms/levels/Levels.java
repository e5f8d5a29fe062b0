package org.rankunit.collective.algorithms.levels;

import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.rankunit.collective.Resources;
import org.rankunit.collective.algorithms.links.Windows;
import org.rankunit.collective.call.CollectiveCall;

/**
 * Where a rank is among servers with as many ranks each. A rank has links to the others on its server, and to those at the same place on
 * other servers: its rail.
 *
 * @param places ranks on each server
 * @param servers how many there are
 * @param place on the server
 * @param server which one it is
 */
record Levels(int places, int servers, int place, int server) {

    static Levels of(CollectiveCall call, int rank) {
        int places = call.servers().size(0);
        return new Levels(places, call.ranks() / places, rank % places, rank / places);
    }

    static Optional<String> unsupportedReason(CollectiveCall call) {
        return call.servers().areEqual()
                ? Windows.needed(call)
                : Optional.of("needs the same number of ranks on each server");
    }

    /** The others on the server, the next one first. */
    Group local() {
        return new Group(IntStream.range(1, places)
                .map(k -> rank((place + k) % places, server))
                .boxed()
                .toList());
    }

    /** Those at the same place on other servers, that on the next server first. */
    Group rail() {
        return new Group(IntStream.range(1, servers)
                .map(k -> rank(place, (server + k) % servers))
                .boxed()
                .toList());
    }

    int rank(int ofPlace, int ofServer) {
        return ofServer * places + ofPlace;
    }

    int placeOf(int rank) {
        return rank % places;
    }

    int serverOf(int rank) {
        return rank / places;
    }

    Resources resources() {
        return Resources.onMainStream(
                Stream.concat(local().peers().stream(), rail().peers().stream()).toList());
    }
}
