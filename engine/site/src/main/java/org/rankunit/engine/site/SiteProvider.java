package org.rankunit.engine.site;

import java.util.Optional;
import org.rankunit.engine.config.ConfigurationException;
import org.rankunit.engine.config.SessionTime;
import org.rankunit.engine.config.Settings;

/** Knows one kind of site besides this machine. Implementations are found by {@link java.util.ServiceLoader}. */
public interface SiteProvider {

    /**
     * The site of a run, which the caller must close; empty if its ranks are not at a site of this kind.
     *
     * @throws ConfigurationException if the settings contradict such a site
     * @throws SiteException if the site cannot be used
     */
    Optional<RankSite> find(Settings settings, SessionTime session);
}
