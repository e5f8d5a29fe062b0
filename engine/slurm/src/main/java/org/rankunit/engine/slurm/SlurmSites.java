package org.rankunit.engine.slurm;

import java.util.Optional;
import org.rankunit.engine.config.SessionTime;
import org.rankunit.engine.config.Settings;
import org.rankunit.engine.site.RankSite;
import org.rankunit.engine.site.SiteProvider;
import org.rankunit.engine.slurm.job.Allocation;

/** Gives a run the nodes of a job of Slurm if its settings say so, or if it runs inside such a job. */
public final class SlurmSites implements SiteProvider {

    @Override
    public Optional<RankSite> find(Settings settings, SessionTime session) {
        return Allocation.isWanted(settings.slurm(), System.getenv())
                ? Optional.of(SlurmSite.of(settings, session))
                : Optional.empty();
    }
}
