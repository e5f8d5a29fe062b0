import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;

/** Puts the folders and jars of a class path into one jar without compression. Of a file in several of them, the first one counts. */
public final class OneJar {

    private OneJar() {}

    /** Takes the jar and the class path. */
    public static void main(String[] arguments) throws IOException {
        Set<String> seen = new TreeSet<>();
        try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(Path.of(arguments[0])))) {
            jar.setLevel(0);
            for (String entry : arguments[1].split(":")) {
                Path path = Path.of(entry);
                if (Files.isDirectory(path)) {
                    add(path, jar, seen);
                } else {
                    try (FileSystem files = FileSystems.newFileSystem(path, Map.of())) {
                        add(files.getPath("/"), jar, seen);
                    }
                }
            }
        }
    }

    private static void add(Path root, JarOutputStream jar, Set<String> seen) throws IOException {
        try (Stream<Path> files = Files.walk(root)) {
            for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
                String name = root.relativize(file).toString();
                if (seen.add(name)) {
                    jar.putNextEntry(new ZipEntry(name));
                    Files.copy(file, jar);
                }
            }
        }
    }
}
