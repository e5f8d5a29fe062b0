package org.rankunit.engine.launch.command;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import org.jspecify.annotations.Nullable;
import org.junit.platform.engine.TestEngine;
import org.junit.platform.launcher.core.LauncherFactory;
import org.rankunit.RankContext;
import org.rankunit.engine.config.Settings;

/**
 * The class path of a rank: that of the tests in this JVM, and the jars from which this JVM itself runs JUnit.
 *
 * <p>Tests are searched for wherever a JVM may have them: on its class path, on its module path, and in custom class loaders such
 * as the console launcher's. Build tools load the launcher outside of the tests' class path, so its location is determined from its
 * classes. What JUnit and this engine need comes first, because an archive of preloaded classes only works for a prefix; the rest
 * keeps its order.
 */
record RankClassPath(List<Path> frameworks, List<Path> entries) {

    static RankClassPath ofThisJvm() {
        return of(
                ManagementFactory.getRuntimeMXBean().getInputArguments(),
                Thread.currentThread().getContextClassLoader());
    }

    static RankClassPath of(List<String> jvmArguments, @Nullable ClassLoader tests) {
        Set<Path> frameworks = new LinkedHashSet<>();
        addFrameworks(frameworks);
        Set<Path> entries = new LinkedHashSet<>(frameworks);
        String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path", ""));
        List<String> listed = List.of(classPath.split(File.pathSeparator, -1));
        requireWhole(listed);
        for (String entry : listed) {
            if (!entry.isEmpty()) {
                add(Path.of(entry).toAbsolutePath(), entries);
            }
        }
        ModuleOptions.of(jvmArguments).paths().forEach(entry -> addModules(entry.toAbsolutePath(), entries));
        addLoaded(tests, entries);
        entries.stream().map(Path::toString).forEach(RankClassPath::requireNoSeparator);
        return new RankClassPath(List.copyOf(frameworks), List.copyOf(entries));
    }

    /** Refuse a path that was taken apart because its name contains the separator: a JVM cannot be given it. */
    private static void requireWhole(List<String> entries) {
        for (int i = 0; i + 1 < entries.size(); i++) {
            String joined = entries.get(i) + File.pathSeparator + entries.get(i + 1);
            if (!entries.get(i).isEmpty() && !Files.exists(Path.of(entries.get(i))) && Files.exists(Path.of(joined))) {
                requireNoSeparator(joined);
            }
        }
    }

    private static void requireNoSeparator(String entry) {
        if (entry.contains(File.pathSeparator)) {
            throw new IllegalStateException("the class path of the tests has " + entry + ", but \""
                    + File.pathSeparator + "\" separates the entries of a class path, so no rank would find the classes"
                    + " there. Rename or move the folder.");
        }
    }

    private static void addFrameworks(Set<Path> entries) {
        List<Class<?>> needed = new ArrayList<>(List.of(
                RankClassPath.class,
                Settings.class,
                RankContext.class,
                LauncherFactory.class,
                TestEngine.class,
                com.fasterxml.jackson.core.JsonFactory.class,
                org.apiguardian.api.API.class,
                org.junit.jupiter.api.Test.class,
                org.junit.platform.commons.support.AnnotationSupport.class,
                org.opentest4j.AssertionFailedError.class,
                org.rankunit.collective.CollectiveAlgorithm.class,
                org.rankunit.comm.Communicator.class,
                org.rankunit.pool.DevicePool.class,
                org.slf4j.Logger.class));
        findClass("com.sun.jna.Native").ifPresent(needed::add);
        needed.add(jupiter().getClass());
        for (Class<?> type : needed) {
            CodeSource source = type.getProtectionDomain().getCodeSource();
            if (source != null) {
                add(pathOf(source.getLocation()), entries);
            }
        }
    }

    /** Jupiter's engine. It is always found, since it discovered the tests to run. */
    static TestEngine jupiter() {
        for (TestEngine engine : ServiceLoader.load(TestEngine.class)) {
            if (engine.getId().equals("junit-jupiter")) {
                return engine;
            }
        }
        throw new IllegalStateException("Jupiter's engine is not on the class path");
    }

    private static Path pathOf(URL location) {
        try {
            return Path.of(location.toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException("cannot tell which file " + location + " is", e);
        }
    }

    /** Find a class that may be referenced in code only by another module. */
    private static Optional<Class<?>> findClass(String name) {
        try {
            return Optional.of(Class.forName(name, false, RankClassPath.class.getClassLoader()));
        } catch (ClassNotFoundException e) {
            return Optional.empty();
        }
    }

    /** Add an entry of a module path: a module, or a folder of modules. */
    private static void addModules(Path entry, Set<Path> entries) {
        if (!Files.isDirectory(entry) || Files.exists(entry.resolve("module-info.class"))) {
            add(entry, entries);
            return;
        }
        try (DirectoryStream<Path> modules = Files.newDirectoryStream(entry)) {
            List<Path> inside = new ArrayList<>();
            modules.forEach(inside::add);
            inside.sort(null);
            boolean ofModules = inside.stream()
                    .anyMatch(p -> p.toString().endsWith(".jar") || Files.exists(p.resolve("module-info.class")));
            (ofModules ? inside : List.of(entry)).forEach(each -> add(each, entries));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + entry + " of the module path", e);
        }
    }

    /** Add the locations that a class loader and its parents load from, as far as they can be determined. */
    private static void addLoaded(@Nullable ClassLoader loader, Set<Path> entries) {
        for (ClassLoader each = loader; each != null; each = each.getParent()) {
            if (each instanceof URLClassLoader urls) {
                for (URL url : urls.getURLs()) {
                    if ("file".equals(url.getProtocol())) {
                        add(pathOf(url), entries);
                    }
                }
            }
        }
    }

    /** Add an entry. If it is a jar that only refers to others, as those of Surefire and IntelliJ, add these instead. */
    private static void add(Path entry, Set<Path> entries) {
        if (!Files.exists(entry)) {
            return;
        }
        List<Path> pointedTo = Files.isDirectory(entry) ? List.of() : pointedToBy(entry);
        if (pointedTo.isEmpty()) {
            entries.add(entry);
        } else {
            pointedTo.forEach(each -> add(each, entries));
        }
    }

    private static List<Path> pointedToBy(Path jar) {
        try (JarFile file = new JarFile(jar.toFile())) {
            Manifest manifest = file.getManifest();
            String list = manifest == null ? null : manifest.getMainAttributes().getValue(Attributes.Name.CLASS_PATH);
            if (list == null
                    || list.isBlank()
                    || file.stream()
                            .anyMatch(e -> !e.isDirectory() && !e.getName().equals(JarFile.MANIFEST_NAME))) {
                return List.of();
            }
            List<Path> result = new ArrayList<>();
            for (String url : list.strip().split("\\s+", -1)) {
                fileOf(jar, url).ifPresent(result::add);
            }
            return result;
        } catch (IOException | IllegalArgumentException e) {
            // Not a jar, or one with names that are not readable. The JVM ignores such entries, so ignore it here.
            return List.of();
        }
    }

    private static Optional<Path> fileOf(Path jar, String url) {
        try {
            URI uri = jar.toUri().resolve(url);
            return "file".equals(uri.getScheme()) ? Optional.of(Path.of(uri)) : Optional.empty();
        } catch (IllegalArgumentException e) {
            // No URL, or one that is no file's. The JVM ignores it as well.
            return Optional.empty();
        }
    }
}
