package org.rankunit.engine;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@link ArchitectureTest} demands of packages, for folders of C++. */
@Tag("unit")
class NativeSourcesTest {

    private static final Path SOURCES = Path.of("../native-comm/src");

    private static final Pattern UNIT = Pattern.compile("(\\w+)\\.(?:h|cpp)");

    private static final Pattern INCLUDE_OF_GRAPH = Pattern.compile("#include \"(graph/(?:\\w+/)?)\\w+\\.h\"");

    /** A unit is a header with its source, or one of them alone: their name without what follows the dot. */
    @ParameterizedTest
    @ValueSource(strings = {"main/cpp", "test/cpp"})
    void noFolderHoldsMoreThanFifteenUnits(String root) throws IOException {
        Map<Path, Long> sizes;
        try (Stream<Path> files = Files.walk(SOURCES.resolve(root))) {
            sizes = files.filter(file -> unit(file).matches())
                    .map(file -> file.resolveSibling(unit(file).replaceFirst("$1")))
                    .distinct()
                    .collect(groupingBy(Path::getParent, counting()));
        }

        assertThat(sizes).hasSizeGreaterThan(5);
        assertThat(sizes.entrySet()).filteredOn(each -> each.getValue() > 15).isEmpty();
    }

    /** The rooms of task graphs, and which of them a room may include besides itself. */
    @ParameterizedTest
    @CsvSource({"graph/model/, ''", "graph/schedule/, graph/model/", "graph/runtimes/, graph/model/ graph/schedule/"})
    void noRoomOfTaskGraphsIncludesALaterOne(String room, String earlier) throws IOException {
        List<String> included = new ArrayList<>();
        try (Stream<Path> files = Files.list(SOURCES.resolve("main/cpp").resolve(room))) {
            for (Path file : files.toList()) {
                Matcher includes = INCLUDE_OF_GRAPH.matcher(Files.readString(file));
                while (includes.find()) included.add(includes.group(1));
            }
        }

        assertThat(included).contains(room).isSubsetOf(allowed(room, earlier));
    }

    private static List<String> allowed(String room, String earlier) {
        List<String> allowed = new ArrayList<>(List.of(earlier.split(" ")));
        allowed.add(room);
        return allowed;
    }

    private static Matcher unit(Path file) {
        return UNIT.matcher(String.valueOf(file.getFileName()));
    }
}
