package org.rankunit.engine.config.files;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rankunit.pool.lock.ProcessUser;

class CacheFolderTest {

    @TempDir
    private Path temp;

    @Test
    void isWhereTheEnvironmentSaysAndElseInTheHome() {
        Map<String, String> home = Map.of("user.home", temp.toString());
        assertThat(of(Map.of("XDG_CACHE_HOME", "/var/cache/ada"), home))
                .isEqualTo(Path.of("/var/cache/ada/rankunit/x"));
        assertThat(of(Map.of(), home)).isEqualTo(temp.resolve(".cache/rankunit/x"));
        assertThat(of(Map.of("XDG_CACHE_HOME", "relative"), home)).isEqualTo(temp.resolve(".cache/rankunit/x"));
    }

    /** As Java says of a user without a name, who has no home; whose HOME may still name one. */
    @Test
    void dependsOnTheWorkingDirectoryForNobody() throws Exception {
        String noFolder = Files.createFile(temp.resolve("file")).resolve("home").toString();
        Map<String, String> none = Map.of("user.home", "?", "java.io.tmpdir", "/temporary");
        assertThat(of(Map.of("HOME", temp.toString()), none)).isEqualTo(temp.resolve(".cache/rankunit/x"));
        assertThat(of(Map.of(), none))
                .isEqualTo(of(Map.of("HOME", ""), none))
                .isEqualTo(Path.of("/temporary/rankunit-cache-" + ProcessUser.nameInFiles() + "/x"));
        assertThat(of(Map.of("HOME", noFolder), none)).startsWithRaw(Path.of("/temporary"));
    }

    private static Path of(Map<String, String> environment, Map<String, String> properties) {
        return CacheFolder.of("x", environment, properties::get);
    }
}
