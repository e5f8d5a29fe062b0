package org.rankunit.engine.compile.source;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * All sources in some folders, by the name of their function. Immutable.
 *
 * @param byName every list has at least one source; more than one is a mistake of the user
 */
public record KernelSources(SortedMap<String, List<KernelSource>> byName) {

    public static final KernelSources NONE = new KernelSources(new TreeMap<>());

    public KernelSources {
        byName = Collections.unmodifiableSortedMap(new TreeMap<>(byName));
    }

    /**
     * Find the sources in {@code aiv}, {@code aic} and {@code orchestration} of these folders. A folder that does not exist has
     * none; one that is named twice counts once.
     */
    public static KernelSources in(Collection<Path> roots) throws IOException {
        Set<Path> distinct = new LinkedHashSet<>();
        for (Path root : roots) {
            if (Files.isDirectory(root)) {
                distinct.add(root.toRealPath());
            }
        }
        SortedMap<String, List<KernelSource>> found = new TreeMap<>();
        for (Path root : distinct) {
            for (SourceKind kind : SourceKind.values()) {
                for (String name : namesIn(root.resolve(kind.folder()))) {
                    found.computeIfAbsent(name, n -> new ArrayList<>()).add(new KernelSource(name, kind, root));
                }
            }
        }
        return new KernelSources(found);
    }

    private static List<String> namesIn(Path folder) throws IOException {
        List<String> names = new ArrayList<>();
        if (Files.isDirectory(folder)) {
            try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "[!.]*" + KernelSource.SUFFIX)) {
                for (Path file : files) {
                    if (Files.isRegularFile(file)) {
                        String name = file.getFileName().toString();
                        names.add(name.substring(0, name.length() - KernelSource.SUFFIX.length()));
                    }
                }
            }
        }
        return names;
    }

    public boolean isEmpty() {
        return byName.isEmpty();
    }

    /** Say where the sources of one name are. */
    public static String places(List<KernelSource> sources, ShownPaths paths) {
        return sources.stream().map(source -> paths.of(source.file())).collect(Collectors.joining(" and "));
    }
}
