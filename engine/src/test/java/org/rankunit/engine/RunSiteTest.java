package org.rankunit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.rankunit.engine.config.ConfigurationException;
import org.rankunit.engine.config.SessionTime;
import org.rankunit.engine.config.Settings;
import org.rankunit.engine.site.SiteProvider;

/** Where the ranks of a run are. */
@Tag("unit")
class RunSiteTest {

    @Test
    void slurmIsFoundOnTheClassPath() {
        assertThat(ServiceLoader.load(SiteProvider.class)).hasSize(1);
    }

    /** It would run here otherwise, on simulators, and pass. */
    @Test
    void aRunOnSlurmWithoutItsProviderIsRefused() {
        Map<String, String> keys = Map.of("rankunit.launcher", "slurm");
        Settings settings = Settings.read(key -> Optional.ofNullable(keys.get(key)), keys.keySet());

        assertThatThrownBy(() -> Run.siteOf(List.of(), settings, SessionTime.begin(Optional.empty())))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageStartingWith("rankunit.launcher = \"slurm\": the class path has no support for Slurm.");
    }
}
