package org.rankunit.engine.site;

import java.nio.file.Path;
import java.util.Map;
import org.rankunit.engine.launch.RankLauncher;
import org.rankunit.engine.launch.SessionFolder;
import org.rankunit.engine.launch.command.RankCommand;

/** Where the ranks of a run are: on this machine, or on the nodes of a cluster. Owns what the run has taken for itself there. */
public interface RankSite extends AutoCloseable {

    /** The devices, and who gets them. */
    Reservations reservations();

    /** The numbers that the vendor's runtime uses for hardware devices, where they differ. */
    Map<Integer, Integer> runtimeIds();

    /** Processors on which ranks run. */
    int processors();

    /** Create the folder of the run, which all its ranks see. */
    SessionFolder folder();

    /**
     * The launcher of the ranks.
     *
     * @param logs folder of their logs
     * @throws SiteException if it cannot reach where they are to be
     */
    RankLauncher launcher(RankCommand command, Path logs);

    /** Give back what the run has taken. */
    @Override
    void close();
}
