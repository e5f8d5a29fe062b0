package org.rankunit.engine.config.files;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rankunit.pool.lock.ProcessUser;

@Tag("unit")
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

    @Test
    void everyFolderThatIsMissingIsCreatedForThisUserAlone() throws Exception {
        Path home = Files.createDirectory(temp.resolve("home"));
        Files.setPosixFilePermissions(home, PosixFilePermissions.fromString("rwxr-xr-x"));

        CacheFolder.prepareFor(home.resolve(".cache/rankunit/durations/project.json"));

        assertThat(mode(home)).isEqualTo("rwxr-xr-x");
        assertThat(List.of(".cache", ".cache/rankunit", ".cache/rankunit/durations"))
                .allSatisfy(each -> assertThat(mode(home.resolve(each))).isEqualTo("rwx------"));
    }

    /** As of a user whose home is small. */
    @Test
    void theCacheMayBeALinkToAFolderElsewhere() throws Exception {
        Path elsewhere = Files.createDirectory(temp.resolve("elsewhere"));
        Path cache = Files.createSymbolicLink(temp.resolve(".cache"), elsewhere);

        CacheFolder.prepareFor(cache.resolve("rankunit/kernels"));
        CacheFolder.prepareFor(cache.resolve("rankunit/durations/project.json"));

        assertThat(mode(elsewhere.resolve("rankunit"))).isEqualTo("rwx------");
        assertThat(mode(elsewhere.resolve("rankunit/durations"))).isEqualTo("rwx------");
    }

    @Test
    void thoseWhoCreateItAtTheSameTimeDoNotDisturbEachOther() throws Exception {
        int threads = 8;
        CyclicBarrier start = new CyclicBarrier(threads);
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        try {
            for (int round = 0; round < 50; round++) {
                Path cache = temp.resolve("round" + round).resolve(".cache");
                List<Callable<Object>> creators = new ArrayList<>();
                for (int i = 0; i < threads; i++) {
                    Path file = cache.resolve("rankunit/kind" + i % 2).resolve("file");
                    creators.add(() -> {
                        start.await();
                        CacheFolder.prepareFor(file);
                        return file;
                    });
                }
                for (Future<Object> done : executor.invokeAll(creators)) {
                    done.get();
                }
                assertThat(mode(cache.resolve("rankunit"))).isEqualTo("rwx------");
            }
        } finally {
            executor.shutdownNow();
        }
    }

    private static String mode(Path folder) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(folder));
    }

    private static Path of(Map<String, String> environment, Map<String, String> properties) {
        return CacheFolder.of("x", environment, properties::get);
    }
}
