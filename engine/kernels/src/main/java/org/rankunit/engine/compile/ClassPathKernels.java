package org.rankunit.engine.compile;

import java.io.IOException;
import java.net.JarURLConnection;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.rankunit.engine.compile.cache.KernelCache;
import org.rankunit.engine.compile.cache.UnpackedTree;
import org.rankunit.engine.compile.source.SourceKind;
import org.rankunit.engine.config.Platform;

/**
 * The kernels on the class path of the tests: sources, and libraries that were built elsewhere.
 *
 * @param entries the class path of the ranks; its folders are looked into, since a module may hide them from a class loader
 * @param loader finds what is in jars
 */
public record ClassPathKernels(List<Path> entries, ClassLoader loader) {

    private static final String KERNELS = "kernels";

    /** The folders named {@code kernels} that are not in jars. */
    List<Path> folders() {
        return entries.stream()
                .map(entry -> entry.resolve(KERNELS))
                .filter(Files::isDirectory)
                .toList();
    }

    /** The jars with sources of kernels. */
    List<Path> jarsWithSources() throws IOException {
        Set<Path> jars = new LinkedHashSet<>();
        for (SourceKind kind : SourceKind.values()) {
            Enumeration<URL> found = loader.getResources(KERNELS + "/" + kind.folder());
            while (found.hasMoreElements()) {
                jarOf(found.nextElement()).ifPresent(jars::add);
            }
        }
        return List.copyOf(jars);
    }

    /** Copies of the folders named {@code kernels} of some jars, where a compiler can read them. */
    List<Path> unpacked(List<Path> jars, KernelCache cache) throws IOException, InterruptedException {
        List<Path> roots = new ArrayList<>();
        for (Path jar : jars) {
            roots.add(UnpackedTree.ofJar(jar, KERNELS + "/", cache).folder());
        }
        return roots;
    }

    /** The file that a rank loads for a kernel instead of compiling its source. */
    Optional<String> prebuilt(Platform platform, String name) {
        String folder = KERNELS + "/" + platform.id() + "/";
        for (String file : List.of(folder + "lib" + name + ".so", folder + name + ".o")) {
            Optional<Path> present = entries.stream()
                    .map(entry -> entry.resolve(file))
                    .filter(Files::isRegularFile)
                    .findFirst();
            if (present.isPresent()) {
                return present.map(Path::toString);
            }
            URL url = loader.getResource(file);
            if (url != null) {
                return Optional.of(url.toString());
            }
        }
        return Optional.empty();
    }

    /** The jar that has a resource; empty for one that is a file. */
    static Optional<Path> jarOf(URL resource) throws IOException {
        if (!resource.getProtocol().equals("jar")) {
            return Optional.empty();
        }
        URL jar = ((JarURLConnection) resource.openConnection()).getJarFileURL();
        try {
            URI uri = jar.toURI();
            return "file".equals(uri.getScheme()) ? Optional.of(Path.of(uri)) : Optional.empty();
        } catch (URISyntaxException e) {
            throw new IOException("not the path of a jar: " + jar, e);
        }
    }
}
