package org.rankunit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.rankunit.rules.UsualWords;
import org.xml.sax.InputSource;

/** The pages of the documentation lead to each other; their code is compiled and run in the downstream project of that name. */
@Tag("unit")
class DocumentationTest {

    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    private static final Path INDEX = ROOT.resolve("docs/README.md");

    private static final List<String> MODULES = List.of(
            "annotations",
            "collectives",
            "device-pool",
            "distributed",
            "engine",
            "engine/analysis",
            "engine/kernels",
            "engine/protocol",
            "engine/rank",
            "engine/report",
            "engine/site",
            "engine/slurm",
            "cli",
            "native-comm");

    private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");

    private static final Pattern FENCED = Pattern.compile("(?ms)^```.*?^```$");

    private static final Pattern BLOCK = Pattern.compile("(?ms)^ *```(\\w+)\n(.*?)^ *```$");

    private static final Set<String> DATA = Set.of("json", "xml", "yaml");

    private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.*)$");

    static List<Path> pages() throws IOException {
        List<Path> pages = new ArrayList<>(List.of(ROOT.resolve("README.md"), ROOT.resolve("CONTRIBUTING.md")));
        try (Stream<Path> files = Files.walk(ROOT.resolve("docs"))) {
            files.filter(file -> file.toString().endsWith(".md")).forEach(pages::add);
        }
        return pages;
    }

    /** The blocks with a language, and what they hold. */
    static List<MatchResult> blocks(Path page) throws IOException {
        return BLOCK.matcher(Files.readString(page)).results().toList();
    }

    private static String text(Path page) throws IOException {
        return FENCED.matcher(Files.readString(page)).replaceAll("");
    }

    /** Links to files of the project, with the heading. */
    private static List<String> links(Path page) throws IOException {
        return LINK.matcher(text(page))
                .results()
                .map(found -> found.group(1))
                .filter(link -> !link.startsWith("http"))
                .toList();
    }

    private static Path target(Path page, String link) {
        String file = link.replaceFirst("#.*", "");
        return file.isEmpty() ? page : page.resolveSibling(file).normalize();
    }

    /** As forges make it of a heading. */
    private static String anchor(MatchResult heading) {
        return heading.group(1)
                .replaceAll("\\[([^\\]]*)\\]\\([^)]*\\)", "$1")
                .toLowerCase(Locale.ROOT)
                .replaceAll("[^\\p{L}\\p{N}_\\- ]", "")
                .replace(' ', '-');
    }

    private static boolean isThere(Path page, String link) throws IOException {
        Path target = target(page, link);
        if (!Files.exists(target)) {
            return false;
        }
        int hash = link.indexOf('#');
        return hash < 0
                || !target.toString().endsWith(".md")
                || HEADING.matcher(text(target))
                        .results()
                        .map(DocumentationTest::anchor)
                        .anyMatch(link.substring(hash + 1)::equals);
    }

    @Test
    void everyLinkLeadsSomewhere() throws IOException {
        List<String> dead = new ArrayList<>();
        for (Path page : pages()) {
            for (String link : links(page)) {
                if (!isThere(page, link)) {
                    dead.add(ROOT.relativize(page) + ": " + link);
                }
            }
        }
        assertThat(dead).isEmpty();
    }

    @Test
    void theIndexListsEveryPage() throws IOException {
        List<Path> listed =
                links(INDEX).stream().map(link -> target(INDEX, link)).toList();
        assertThat(pages())
                .filteredOn(page -> ROOT.relativize(page).toString().matches("docs/[^/]+") && !page.equals(INDEX))
                .isNotEmpty()
                .allSatisfy(page -> assertThat(listed).contains(page));
    }

    @Test
    void thePageOnArchitectureNamesEveryPackage() throws IOException {
        String page = Files.readString(ROOT.resolve("docs/architecture.md"));
        List<String> unnamed = new ArrayList<>();
        for (String module : MODULES) {
            Path sources = ROOT.resolve(module).resolve("src/main/java");
            try (Stream<Path> files = Files.walk(sources)) {
                files.filter(file -> file.endsWith("package-info.java"))
                        .map(file -> file.getName(file.getNameCount() - 2).toString())
                        .filter(room -> !page.matches("(?s).*`([\\w.]+\\.)?" + room + "(…|`).*"))
                        .forEach(room -> unnamed.add(module + ": " + room));
            }
        }
        assertThat(unnamed).isEmpty();
    }

    @Test
    void pagesUseTheUsualWords() throws IOException {
        List<String> unusual = new ArrayList<>();
        for (Path page : pages()) {
            UsualWords.missedIn(text(page)).forEach(found -> unusual.add(ROOT.relativize(page) + ": " + found));
        }
        assertThat(unusual).isEmpty();
    }

    @Test
    void blocksOfDataAreWellFormed() throws Exception {
        int seen = 0;
        for (Path page : pages()) {
            for (MatchResult block : blocks(page)) {
                if (DATA.contains(block.group(1))) {
                    seen++;
                    assertThatNoException()
                            .as("%s, a block of %s", ROOT.relativize(page), block.group(1))
                            .isThrownBy(() -> parse(block.group(1), block.group(2)));
                }
            }
        }
        assertThat(seen).isPositive();
    }

    private static void parse(String language, String text) throws Exception {
        switch (language) {
            case "json" -> new ObjectMapper().readTree(text);
            case "xml" ->
                DocumentBuilderFactory.newInstance()
                        .newDocumentBuilder()
                        .parse(new InputSource(
                                new StringReader("<block>" + text.replaceFirst("<\\?xml.*\\?>", "") + "</block>")));
            case "yaml" -> {
                try (MappingIterator<JsonNode> documents = new ObjectMapper(new YAMLFactory())
                        .readerFor(JsonNode.class)
                        .readValues(text.stripIndent())) {
                    assertThat(documents.readAll()).isNotEmpty();
                }
            }
            default -> throw new IllegalArgumentException(language);
        }
    }

    @Test
    void theReadmeIsShort() throws IOException {
        assertThat(Files.readAllLines(ROOT.resolve("README.md"))).hasSizeLessThanOrEqualTo(130);
    }
}
