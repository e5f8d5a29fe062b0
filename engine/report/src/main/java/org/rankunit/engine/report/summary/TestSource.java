package org.rankunit.engine.report.summary;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.rankunit.engine.report.RunReport;

/**
 * Where the source of a test is.
 *
 * @param file relative to the root of the sources, with slashes
 * @param line the line where the test failed, else the one where it is declared; empty if neither is known
 */
record TestSource(String file, OptionalInt line) {

    private static final Pattern TOP_CLASS = Pattern.compile("\\[class:([^\\]$]+)");
    private static final List<String> FOLDERS = List.of("src/test/java", "src/test/kotlin");
    private static final List<String> ENDINGS = List.of(".java", ".kt");

    /** How far above a report its module may be: {@code target/rankunit} is two below. */
    private static final int LEVELS = 4;

    /**
     * Find the source of a test in the module of its report, or else in a module directly below the root.
     *
     * @param report folder of the report
     * @param root folder to which the result is relative
     */
    static Optional<TestSource> of(RunReport.TestEntry test, Path report, Path root) {
        Matcher type = TOP_CLASS.matcher(test.uniqueId());
        if (!type.find()) {
            return Optional.empty();
        }
        String path = type.group(1).replace('.', '/');
        return modules(
                        report.toAbsolutePath().normalize(),
                        root.toAbsolutePath().normalize())
                .flatMap(module -> FOLDERS.stream()
                        .flatMap(folder -> ENDINGS.stream().map(end -> module.resolve(folder + "/" + path + end))))
                .filter(Files::isRegularFile)
                .findFirst()
                .map(file -> new TestSource(shown(file, root.toAbsolutePath().normalize()), lineOf(test, file)));
    }

    private static Stream<Path> modules(Path report, Path root) {
        Stream<Path> above = Stream.iterate(report, folder -> folder != null, Path::getParent)
                .limit(LEVELS);
        return Stream.concat(above, Stream.concat(Stream.of(root), children(root).stream()));
    }

    private static List<Path> children(Path root) {
        try (Stream<Path> children = Files.list(root)) {
            return children.filter(Files::isDirectory).sorted().toList();
        } catch (IOException | UncheckedIOException e) {
            return List.of();
        }
    }

    private static String shown(Path file, Path root) {
        return (file.startsWith(root) ? root.relativize(file) : file).toString();
    }

    private static OptionalInt lineOf(RunReport.TestEntry test, Path file) {
        Matcher place = Pattern.compile("\\b" + Pattern.quote(String.valueOf(file.getFileName())) + ":(\\d{1,7})")
                .matcher(test.reason() == null ? "" : test.reason());
        return place.find() ? OptionalInt.of(Integer.parseInt(place.group(1))) : declaredIn(file, methodOf(test));
    }

    private static String methodOf(RunReport.TestEntry test) {
        return test.name().substring(test.name().lastIndexOf('.') + 1);
    }

    private static OptionalInt declaredIn(Path file, String method) {
        Pattern declaration = Pattern.compile("(?<![.\\w])" + Pattern.quote(method) + "\\s*\\(");
        try {
            List<String> lines = Files.readAllLines(file);
            for (int i = 0; i < lines.size(); i++) {
                if (declaration.matcher(lines.get(i)).find()) {
                    return OptionalInt.of(i + 1);
                }
            }
        } catch (IOException e) {
            // Without a line, the annotation still names the file.
            return OptionalInt.empty();
        }
        return OptionalInt.empty();
    }
}
