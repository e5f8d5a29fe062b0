import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/**
 * Reads Surefire's reports in the folders given, and prints in Maven's words how many tests there were; with --list also each of
 * them. Run by the scripts from its source: {@code java .ci/TestResults.java [--list] FOLDER...}
 */
class TestResults {

    private static final List<String> COUNTS = List.of("tests", "failures", "errors", "skipped");

    public static void main(String[] arguments) throws Exception {
        List<String> folders = new ArrayList<>(List.of(arguments));
        boolean list = folders.remove("--list");
        int[] sums = new int[COUNTS.size()];
        for (String folder : folders) {
            for (Path report : reportsIn(Path.of(folder))) {
                Element suite = DocumentBuilderFactory.newInstance()
                        .newDocumentBuilder()
                        .parse(report.toFile())
                        .getDocumentElement();
                for (int i = 0; i < sums.length; i++) {
                    sums[i] += Integer.parseInt(suite.getAttribute(COUNTS.get(i)));
                }
                if (list) {
                    list(suite);
                }
            }
        }
        System.out.printf("Tests run: %d, Failures: %d, Errors: %d, Skipped: %d%n", sums[0], sums[1], sums[2], sums[3]);
    }

    private static List<Path> reportsIn(Path folder) throws IOException {
        List<Path> reports = new ArrayList<>();
        if (Files.isDirectory(folder)) {
            try (DirectoryStream<Path> found = Files.newDirectoryStream(folder, "TEST-*.xml")) {
                found.forEach(reports::add);
            }
        }
        reports.sort(null);
        return reports;
    }

    private static void list(Element suite) {
        NodeList tests = suite.getElementsByTagName("testcase");
        for (int i = 0; i < tests.getLength(); i++) {
            Element test = (Element) tests.item(i);
            String type = test.getAttribute("classname");
            System.out.printf(
                    "  %-8s %s.%s%n", resultOf(test), type.substring(type.lastIndexOf('.') + 1), test.getAttribute("name"));
        }
    }

    private static String resultOf(Element test) {
        if (test.getElementsByTagName("failure").getLength() + test.getElementsByTagName("error").getLength() > 0) {
            return "FAILED";
        }
        return test.getElementsByTagName("skipped").getLength() > 0 ? "skipped" : "passed";
    }
}
