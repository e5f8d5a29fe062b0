package org.rankunit.engine.compile.source;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * How messages name sources: as files of the project that people edit, relative to its folder, and not as the copies of them that
 * build tools make. What lies outside of the project is named by its whole path.
 */
public final class ShownPaths {

    /** Where build tools copy resources, and where these lie. */
    private static final List<Map.Entry<String, String>> COPIES = List.of(
            Map.entry("target/test-classes", "src/test/resources"),
            Map.entry("target/classes", "src/main/resources"),
            Map.entry("build/resources/test", "src/test/resources"),
            Map.entry("build/resources/main", "src/main/resources"));

    private final Path project;

    /** @param project its folder */
    public ShownPaths(Path project) {
        this.project = real(project);
    }

    /** Paths of sources are without symbolic links. */
    private static Path real(Path folder) {
        try {
            return folder.toRealPath();
        } catch (IOException e) {
            return folder.toAbsolutePath().normalize();
        }
    }

    /** Name a file, or a folder. */
    public String of(Path file) {
        Path edited = edited(file);
        return edited.startsWith(project) && !edited.equals(project)
                ? project.relativize(edited).toString()
                : edited.toString();
    }

    private Path edited(Path file) {
        for (Map.Entry<String, String> copy : COPIES) {
            Path copies = project.resolve(copy.getKey());
            if (file.startsWith(copies)) {
                Path original = project.resolve(copy.getValue()).resolve(copies.relativize(file));
                return Files.exists(original) ? original : file;
            }
        }
        return file;
    }

    /** Name the files of a text in which a compiler tells of this source, or of its headers. */
    public String in(String text, KernelSource source) {
        return text.replace(source.root() + "/", of(source.root()) + "/").replace(project + "/", "");
    }

    /** The folder of a source in debug information. It is the same in all copies of a project. */
    public String inDebugInformation(KernelSource source) {
        String root = of(source.root());
        return Path.of(root).isAbsolute() ? "kernels" : root;
    }
}
