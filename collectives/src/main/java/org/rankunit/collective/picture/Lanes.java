package org.rankunit.collective.picture;

import java.util.ArrayList;
import java.util.List;
import org.rankunit.collective.schedule.RankSchedule;
import org.rankunit.collective.schedule.Schedule;

/** Where ranks and their streams are drawn, from top to bottom: a band for each rank, with a row for each stream that has tasks. */
final class Lanes {

    static final double ROW = 20;
    static final double BAR = 14;
    private static final double PADDING = 4;
    private static final double GAP = 20;

    private final List<Band> bands = new ArrayList<>();
    private final double bottom;

    /** @param streams of each row */
    private record Band(double top, List<Integer> streams) {

        double bottom() {
            return top + 2 * PADDING + streams.size() * ROW;
        }
    }

    Lanes(Schedule schedule, double top) {
        double y = top;
        for (RankSchedule rank : schedule.ranks()) {
            List<Integer> streams = new ArrayList<>();
            for (int stream = 0; stream < rank.streams(); stream++) {
                if (stream == 0 || rank.size(stream) > 0) {
                    streams.add(stream);
                }
            }
            Band band = new Band(y, streams);
            bands.add(band);
            y = band.bottom() + GAP;
        }
        this.bottom = y - GAP;
    }

    double top(int rank) {
        return bands.get(rank).top();
    }

    double bottom(int rank) {
        return bands.get(rank).bottom();
    }

    List<Integer> streams(int rank) {
        return bands.get(rank).streams();
    }

    /** The middle of a stream's row. */
    double middle(int rank, int stream) {
        return top(rank) + PADDING + (streams(rank).indexOf(stream) + 0.5) * ROW;
    }

    /** The edge of a rank's band that is nearer to another rank. */
    double edge(int rank, int other) {
        return other < rank ? top(rank) : bottom(rank);
    }

    double bottom() {
        return bottom;
    }
}
