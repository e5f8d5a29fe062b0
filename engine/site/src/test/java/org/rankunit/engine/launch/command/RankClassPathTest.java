package org.rankunit.engine.launch.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.engine.TestEngine;
import org.junit.platform.launcher.core.LauncherFactory;

@Tag("unit")
class RankClassPathTest {

    private static final String KEY = "surefire.test.class.path";

    private String usual = "";
    private Path folder;

    @BeforeEach
    void keepTheUsualOne(@TempDir Path temp) {
        folder = temp;
        usual = System.getProperty(KEY, "");
    }

    @AfterEach
    void putItBack() {
        if (usual.isEmpty()) {
            System.clearProperty(KEY);
        } else {
            System.setProperty(KEY, usual);
        }
    }

    @Test
    void whereThisJvmRunsJUnitFromIsOnItAlsoIfItIsNotOnTheTestsClassPath() throws Exception {
        use(folder);

        assertThat(RankClassPath.ofThisJvm().entries())
                .contains(sourceOf(LauncherFactory.class), sourceOf(TestEngine.class));
    }

    @Test
    void aFolderWithTheSeparatorInItsNameIsRefusedByName() throws IOException {
        Path classes = Files.createDirectories(folder.resolve("project:2/target/classes"));
        String message = "the class path of the tests has " + classes + ", but \":\" separates the entries";

        use(classes);
        assertThatThrownBy(RankClassPath::ofThisJvm).hasMessageStartingWith(message);

        use(jar("pathing.jar", classes.toUri().toString(), ""));
        assertThatThrownBy(RankClassPath::ofThisJvm).hasMessageStartingWith(message);
    }

    @Test
    void aJarThatOnlyPointsToOthersIsReplacedByThem() throws IOException {
        Path classes = Files.createDirectory(folder.resolve("classes with blank"));
        Path library = jar("library.jar", "", "a/B.class");
        Path pathing = jar("pathing.jar", classes.toUri() + " library.jar", "");

        use(pathing);

        assertThat(RankClassPath.ofThisJvm().entries())
                .contains(library, classes)
                .doesNotContain(pathing);
    }

    /** As Surefire writes it: relative to the folder of the jar. */
    @Test
    void aJarMayPointToOthersFromItsOwnFolder() throws IOException {
        Path library = jar("library.jar", "", "a/B.class");
        Path classes = Files.createDirectories(folder.resolve("target/test classes"));
        Files.createDirectories(folder.resolve("target/surefire"));
        Path pathing = jar("target/surefire/surefirebooter.jar", "../test%20classes/ ../../library.jar", "");

        use(pathing);

        assertThat(RankClassPath.ofThisJvm().entries())
                .contains(library, classes)
                .doesNotContain(pathing);
    }

    /** The JVM ignores such entries. */
    @Test
    void whatAJarPointsToThatIsNoFileIsIgnored() throws IOException {
        Path library = jar("library.jar", "", "a/B.class");
        Path pathing = jar("pathing.jar", "a|b%zz https://example.org/x.jar file://host/x.jar library.jar", "");

        use(pathing);

        assertThat(RankClassPath.ofThisJvm().entries()).contains(library).doesNotContain(pathing);
    }

    /** As IntelliJ starts tests whose class path is long. */
    @Test
    void aJarThatPointsToOthersMayStandBesideOthers() throws IOException {
        Path runtime = jar("idea_rt.jar", "", "com/intellij/rt/Main.class");
        Path library = jar("library.jar", "", "a/B.class");
        Path pathing = jar("classpath123.jar", library.toUri() + " " + folder.toUri() + "missing.jar", "");
        String classPathBefore = System.getProperty("java.class.path");
        System.clearProperty(KEY);
        System.setProperty("java.class.path", runtime + java.io.File.pathSeparator + pathing);
        try {
            assertThat(RankClassPath.ofThisJvm().entries())
                    .contains(runtime, library)
                    .doesNotContain(pathing, folder.resolve("missing.jar"));
        } finally {
            System.setProperty("java.class.path", classPathBefore);
        }
    }

    @Test
    void aJarWithResourcesOfItsOwnStaysThoughItPointsToOthers() throws IOException {
        Path resources = jar("resources.jar", "other.jar", "texts/hello.txt");

        use(resources);

        assertThat(RankClassPath.ofThisJvm().entries()).contains(resources);
    }

    @Test
    void theModulePathIsOnIt() throws IOException {
        Path module = Files.createDirectory(folder.resolve("classes"));
        Path tests = Files.createDirectory(folder.resolve("test-classes"));
        Path library = jar("library.jar", "", "a/B.class");
        use();

        RankClassPath classPath = RankClassPath.of(
                List.of("--module-path=" + module + ":" + library, "--patch-module=com.example.app=" + tests), null);

        assertThat(classPath.entries()).contains(library).containsSubsequence(tests, module);
    }

    @Test
    void ofAFolderOfModulesItsModulesAreOnIt() throws IOException {
        Path modules = Files.createDirectory(folder.resolve("modules"));
        Path library = jar("modules/library.jar", "", "a/B.class");
        Path exploded = Files.createDirectory(modules.resolve("exploded"));
        Files.createFile(exploded.resolve("module-info.class"));
        use();

        assertThat(RankClassPath.of(List.of("--module-path=" + modules), null).entries())
                .contains(library, exploded)
                .doesNotContain(modules);
    }

    /** As JUnit's console launcher loads tests. */
    @Test
    void whatAClassLoaderOfItsOwnLoadsFromIsOnIt() throws IOException {
        Path classes = Files.createDirectory(folder.resolve("test classes"));
        Path library = jar("library.jar", "", "a/B.class");
        use();

        try (URLClassLoader parent =
                        new URLClassLoader(new URL[] {library.toUri().toURL()});
                URLClassLoader tests =
                        new URLClassLoader(new URL[] {classes.toUri().toURL()}, parent)) {
            assertThat(RankClassPath.of(List.of(), tests).entries()).contains(library, classes);
        }
    }

    @Test
    void aJarWithClassesOfItsOwnStaysThoughItPointsToOthers() throws IOException {
        Path library = jar("library.jar", "other.jar", "a/B.class");
        jar("other.jar", "", "c/D.class");

        use(library);

        assertThat(RankClassPath.ofThisJvm().entries()).contains(library).doesNotContain(folder.resolve("other.jar"));
    }

    @Test
    void whatIsTheUsersKeepsItsOrder() throws IOException {
        Path classes = Files.createDirectory(folder.resolve("classes"));
        Path library = jar("library.jar", "", "a/B.class");

        use(classes, library);

        List<Path> all = RankClassPath.ofThisJvm().entries();
        assertThat(all.indexOf(classes)).isLessThan(all.indexOf(library));
    }

    @Test
    void anEntryIsOnItOnce() throws IOException {
        Path library = jar("library.jar", "", "a/B.class");

        use(library, library);

        assertThat(RankClassPath.ofThisJvm().entries()).doesNotHaveDuplicates();
    }

    @Test
    void whatDoesNotExistIsLeftOut() {
        use(folder.resolve("missing.jar"));

        assertThat(RankClassPath.ofThisJvm().entries()).doesNotContain(folder.resolve("missing.jar"));
    }

    @Test
    void whatIsNoJarStaysAsItIs() throws IOException {
        Path text = Files.writeString(folder.resolve("not-a-jar"), "text");

        use(text);

        assertThat(RankClassPath.ofThisJvm().entries()).contains(text);
    }

    private static void use(Path... entries) {
        System.setProperty(
                KEY, Stream.of(entries).map(Path::toString).collect(Collectors.joining(java.io.File.pathSeparator)));
    }

    private Path jar(String name, String classPath, String entry) throws IOException {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        if (!classPath.isEmpty()) {
            manifest.getMainAttributes().put(Attributes.Name.CLASS_PATH, classPath);
        }
        Path jar = folder.resolve(name);
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar), manifest)) {
            if (!entry.isEmpty()) {
                out.putNextEntry(new JarEntry(entry));
            }
        }
        return jar;
    }

    private static Path sourceOf(Class<?> type) throws Exception {
        return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    }
}
