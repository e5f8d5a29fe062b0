package org.rankunit.cli.doctor.check;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The file systems of the machine, as {@code /proc/self/mounts} lists them. Immutable. */
public record Mounts(List<Mount> all) {

    /** One file system. */
    public record Mount(Path point, String type, Set<String> options) {}

    /** Reads them; none if the file cannot be read. */
    public static Mounts of(Host host) {
        return new Mounts(host.lines("/proc/self/mounts").stream()
                .map(line -> line.split(" "))
                .filter(fields -> fields.length >= 4 && fields[1].startsWith("/"))
                .map(fields ->
                        new Mount(Path.of(unescaped(fields[1])), fields[2], Set.copyOf(List.of(fields[3].split(",")))))
                .toList());
    }

    /** Returns the file system that contains a file: the last one mounted at the innermost mount point around it. */
    public Optional<Mount> around(Path file) {
        Path absolute = file.toAbsolutePath().normalize();
        return all.stream()
                .filter(mount -> absolute.startsWith(mount.point()))
                .reduce((a, b) -> b.point().getNameCount() >= a.point().getNameCount() ? b : a);
    }

    /** Decodes blanks and similar characters, which the kernel writes as octal numbers. */
    private static String unescaped(String field) {
        return field.replace("\\040", " ")
                .replace("\\011", "\t")
                .replace("\\012", "\n")
                .replace("\\134", "\\");
    }
}
