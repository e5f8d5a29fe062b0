package org.rankunit.engine;

import java.nio.file.Path;
import java.util.Map;
import org.rankunit.engine.config.ConfigurationException;
import org.rankunit.engine.config.SessionTime;
import org.rankunit.engine.config.Settings;
import org.rankunit.engine.launch.RankLauncher;
import org.rankunit.engine.launch.SessionFolder;
import org.rankunit.engine.launch.command.RankCommand;
import org.rankunit.engine.schedule.Reservations;
import org.rankunit.engine.slurm.job.Allocation;
import org.rankunit.engine.slurm.job.SlurmException;

/** Where the ranks of a run are: on this machine, or on the nodes of a Slurm job. Owns what the run has taken for itself there. */
interface RankSite extends AutoCloseable {

    /**
     * The site that the settings name.
     *
     * @throws ConfigurationException if the devices that the settings name do not exist
     * @throws SlurmException if Slurm cannot be used, or gives no job
     */
    static RankSite of(Settings settings, SessionTime session, RunHistory history) {
        return Allocation.isWanted(settings.slurm(), System.getenv())
                ? SlurmSite.of(settings, session)
                : LocalSite.of(settings, session, history);
    }

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
     */
    RankLauncher launcher(RankCommand command, Path logs);

    /** Give back what the run has taken. */
    @Override
    void close();
}
