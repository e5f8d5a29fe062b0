import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/**
 * Reads what a build leaves, and prints what became of its tests. Run by the scripts from its source:
 *
 * <ul>
 *   <li>{@code java .ci/TestResults.java FOLDER...}: how many tests Surefire's reports in these folders have, in Maven's words
 *   <li>{@code java .ci/TestResults.java --list FOLDER...}: before that, each test with its result
 *   <li>{@code java .ci/TestResults.java --failures FOLDER...}: instead, what failed tests say, those with the same cause together
 *   <li>{@code java .ci/TestResults.java --summary LOG MODULE...}: a line for each module, the slowest classes, what starting
 *       ranks cost, and, from Maven's log, which module failed, why, and what was not run
 * </ul>
 */
class TestResults {

    private static final int SLOWEST = 20;
    private static final int FAILURES_AT_MOST = 30;
    private static final int CAUSES_AT_MOST = 5;
    private static final int LINES_OF_A_CAUSE = 6;

    public static void main(String[] arguments) throws Exception {
        List<String> rest = new ArrayList<>(List.of(arguments));
        if (rest.remove("--summary")) {
            Path log = Path.of(rest.remove(0));
            new Summary(MavenLog.read(log), rest).print();
            return;
        }
        boolean list = rest.remove("--list");
        boolean failures = rest.remove("--failures");
        List<TestClass> all = new ArrayList<>();
        for (String folder : rest) {
            all.addAll(TestClass.in(Path.of(folder)));
        }
        if (failures) {
            new Causes(all.stream().flatMap(type -> type.tests().stream()).toList()).print();
            return;
        }
        if (list) {
            all.stream()
                    .flatMap(type -> type.tests().stream())
                    .forEach(test -> System.out.printf("  %-8s %s%n", test.result(), test.name()));
        }
        System.out.println(Counts.of(all));
    }

    /** How many tests there were. */
    record Counts(int tests, int failures, int errors, int skipped) {

        static Counts of(List<TestClass> types) {
            Counts sum = new Counts(0, 0, 0, 0);
            for (TestClass type : types) {
                Counts more = type.counts();
                sum = new Counts(
                        sum.tests + more.tests,
                        sum.failures + more.failures,
                        sum.errors + more.errors,
                        sum.skipped + more.skipped);
            }
            return sum;
        }

        @Override
        public String toString() {
            return "Tests run: %d, Failures: %d, Errors: %d, Skipped: %d".formatted(tests, failures, errors, skipped);
        }
    }

    /** One test in a report, with what it says if it failed. */
    record Test(String name, String result, String text) {

        /** What a result of a device test begins with, before its cause. */
        private static final Pattern TITLE = Pattern.compile("[^\n]* (failed|verified) [^\n]*\n\n+");

        static Test of(Element test) {
            String type = test.getAttribute("classname");
            String name = type.substring(type.lastIndexOf('.') + 1) + "." + test.getAttribute("name");
            for (String kind : List.of("failure", "error")) {
                NodeList found = test.getElementsByTagName(kind);
                if (found.getLength() > 0) {
                    Element problem = (Element) found.item(0);
                    String message = problem.getAttribute("message");
                    return new Test(name, "FAILED", (message.isBlank() ? problem.getTextContent() : message).strip());
                }
            }
            return new Test(name, test.getElementsByTagName("skipped").getLength() > 0 ? "skipped" : "passed", "");
        }

        boolean failed() {
            return result.equals("FAILED");
        }

        String firstLine() {
            return text.lines().findFirst().orElse("(no message)");
        }

        /** The first paragraph, after the name of the test and its ranks, without the places of logs, which differ for each test. */
        String cause() {
            return TITLE.matcher(text)
                    .replaceFirst("")
                    .strip()
                    .lines()
                    .takeWhile(line -> !line.isBlank() && !line.strip().startsWith("log of rank"))
                    .limit(LINES_OF_A_CAUSE)
                    .collect(Collectors.joining("\n"));
        }
    }

    /** Why tests failed, the cause of most tests first. */
    record Causes(List<Test> tests) {

        /** One cause may concern many kernels or buffers, whose names are in quotes, and their sources. */
        private static final Pattern QUOTED = Pattern.compile("'[^'\n]*'( \\(/[^)\n]*\\))?");

        /** Prints nothing if no test failed. */
        void print() {
            Map<String, List<Test>> byCause = tests.stream()
                    .filter(Test::failed)
                    .collect(Collectors.groupingBy(
                            test -> QUOTED.matcher(test.cause()).replaceAll("'...'"),
                            LinkedHashMap::new,
                            Collectors.toList()));
            if (byCause.isEmpty()) {
                return;
            }
            System.out.printf(
                    "%d of %d tests failed:%n",
                    tests.stream().filter(Test::failed).count(), tests.size());
            byCause.entrySet().stream()
                    .sorted((one, other) ->
                            other.getValue().size() - one.getValue().size())
                    .limit(CAUSES_AT_MOST)
                    .forEach(cause -> print(cause.getKey(), cause.getValue()));
            if (byCause.size() > CAUSES_AT_MOST) {
                System.out.printf("  and others, for %d more causes%n", byCause.size() - CAUSES_AT_MOST);
            }
        }

        private static void print(String cause, List<Test> failed) {
            Test first = failed.get(0);
            System.out.println("  "
                    + (failed.size() == 1 ? first.name() : failed.size() + " tests, the first is " + first.name()));
            boolean same = failed.stream().map(Test::cause).distinct().count() == 1;
            (same ? first.cause() : cause).lines().forEach(line -> System.out.println("      " + line));
        }
    }

    /** One of Surefire's reports. */
    record TestClass(String name, double seconds, Counts counts, List<Test> tests) {

        static List<TestClass> in(Path folder) throws Exception {
            List<TestClass> types = new ArrayList<>();
            for (Path report : files(folder, "TEST-*.xml")) {
                Element suite = DocumentBuilderFactory.newInstance()
                        .newDocumentBuilder()
                        .parse(report.toFile())
                        .getDocumentElement();
                List<Test> tests = new ArrayList<>();
                NodeList found = suite.getElementsByTagName("testcase");
                for (int i = 0; i < found.getLength(); i++) {
                    tests.add(Test.of((Element) found.item(i)));
                }
                types.add(new TestClass(
                        suite.getAttribute("name"),
                        Double.parseDouble(suite.getAttribute("time").replace(",", "")),
                        new Counts(
                                number(suite, "tests"),
                                number(suite, "failures"),
                                number(suite, "errors"),
                                number(suite, "skipped")),
                        tests));
            }
            return types;
        }

        private static int number(Element suite, String attribute) {
            return Integer.parseInt(suite.getAttribute(attribute));
        }
    }

    private static List<Path> files(Path folder, String pattern) throws IOException {
        List<Path> files = new ArrayList<>();
        if (Files.isDirectory(folder)) {
            try (DirectoryStream<Path> found = Files.newDirectoryStream(folder, pattern)) {
                found.forEach(files::add);
            }
        }
        files.sort(null);
        return files;
    }

    /**
     * What Maven and CTest say of a build.
     *
     * @param states SUCCESS, FAILURE or SKIPPED of each module; empty if Maven ended before it began to build
     * @param reasons why a module failed
     * @param problems what compilers and CMake said
     * @param nativeTests the C++ tests and their seconds
     */
    record MavenLog(
            Map<String, String> states,
            Map<String, List<String>> reasons,
            List<String> problems,
            Map<String, Double> nativeTests,
            List<String> failedNativeTests) {

        private static final Pattern STATE =
                Pattern.compile("\\[INFO\\] RankUnit :: (\\S+) \\.+ (SUCCESS|FAILURE|SKIPPED).*");
        private static final Pattern REASON = Pattern.compile(
                "\\[ERROR\\] Failed to execute goal \\S+?:([^:\\s]+):[^:\\s]+:(\\S+) \\([^)]*\\) on project rankunit-(\\S+?):(.*)");
        private static final Pattern PROBLEM = Pattern.compile(
                "\\[(?:ERROR|WARNING)\\] /.*\\.java:\\[\\d+,\\d+\\].*|\\S+:\\d+:\\d+: (fatal )?error: .*|CMake Error.*");
        private static final Pattern NATIVE_TEST = Pattern.compile(
                "\\s*\\d+/\\d+ Test +#\\d+: (\\S+) \\.*\\s*(Passed|\\*\\*\\*\\S+.*?)\\s+([\\d.]+) sec\\s*");

        static MavenLog read(Path log) throws IOException {
            MavenLog read = new MavenLog(
                    new TreeMap<>(), new TreeMap<>(), new ArrayList<>(), new TreeMap<>(), new ArrayList<>());
            List<String> lines = Files.readAllLines(log, java.nio.charset.StandardCharsets.ISO_8859_1);
            for (int i = 0; i < lines.size(); i++) {
                // Maven colours some lines.
                String line = lines.get(i).replaceAll("\u001b\\[[;\\d]*m", "");
                read.take(line, i + 1 < lines.size() ? lines.get(i + 1) : "");
            }
            return read;
        }

        private void take(String line, String next) {
            Matcher state = STATE.matcher(line);
            Matcher reason = REASON.matcher(line);
            Matcher test = NATIVE_TEST.matcher(line);
            if (state.matches()) {
                states.put(state.group(1), state.group(2));
            } else if (reason.matches()) {
                String text = reason.group(4).replaceFirst(" -> \\[Help.*", "").strip();
                String why = text.isEmpty() ? next.replace("[ERROR]", "").strip() : text;
                reasons.computeIfAbsent(reason.group(3), module -> new ArrayList<>())
                        .add(reason.group(1) + ":" + reason.group(2) + ": " + why);
            } else if (PROBLEM.matcher(line).matches()) {
                problems.add(
                        line.startsWith("CMake")
                                ? line + " " + next.strip()
                                : line.replaceFirst("\\[(ERROR|WARNING)\\] ", ""));
            } else if (test.matches()) {
                nativeTests.merge(test.group(1), Double.parseDouble(test.group(3)), Double::sum);
                if (!test.group(2).equals("Passed")) {
                    failedNativeTests.add(test.group(1));
                }
            }
        }

        String stateOf(String module) {
            return states.getOrDefault(module, "SKIPPED");
        }
    }

    /** Groups of ranks that were started for a class, and how long they took. */
    record RankStarts(int groups, int ranks, double seconds) {

        private static final Pattern GROUP = Pattern.compile(
                "\\{\"number\":\\d+,\"platform\":\"[^\"]*\",\"devices\":\\[([^\\]]*)\\],\"className\":\"([^\"]*)\",\"asked\":[^,]*,"
                        + "\"leased\":([\\d.E+-]+),\"up\":([\\d.E+-]+|null),");

        RankStarts plus(RankStarts more) {
            return new RankStarts(groups + more.groups, ranks + more.ranks, seconds + more.seconds);
        }

        /** Those that tests of the engine counted: lines of class, groups, ranks, seconds. */
        static void counted(Path folder, Map<String, RankStarts> into) throws IOException {
            for (Path file : files(folder, "*.tsv")) {
                for (String line : Files.readAllLines(file)) {
                    String[] columns = line.split("\t");
                    into.merge(
                            columns[0],
                            new RankStarts(
                                    Integer.parseInt(columns[1]),
                                    Integer.parseInt(columns[2]),
                                    Double.parseDouble(columns[3])),
                            RankStarts::plus);
                }
            }
        }

        /** Those of the runs that left their report in a folder or below. */
        static void reported(Path folder, String name, Map<String, RankStarts> into) throws IOException {
            if (!Files.isDirectory(folder)) {
                return;
            }
            try (Stream<Path> found = Files.walk(folder)) {
                found.filter(path -> path.endsWith("report.json")).forEach(path -> addGroups(path, name, into));
            } catch (UncheckedIOException e) {
                throw e.getCause();
            }
        }

        private static void addGroups(Path report, String name, Map<String, RankStarts> into) {
            String json;
            try {
                json = Files.readString(report).replaceAll("\\s*([\\[\\]{}:,])\\s*", "$1");
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            Matcher group = GROUP.matcher(json);
            int found = 0;
            while (group.find()) {
                found++;
                double seconds = group.group(4).equals("null")
                        ? 0
                        : (Double.parseDouble(group.group(4)) - Double.parseDouble(group.group(3))) / 1000;
                into.merge(name, new RankStarts(1, group.group(1).split(",").length, seconds), RankStarts::plus);
            }
            if (found == 0 && json.contains("\"groups\":[{")) {
                throw new IllegalStateException(report + " has groups that " + GROUP + " does not find");
            }
        }
    }

    /** What is said at the end of a build. */
    record Summary(MavenLog log, List<String> modules) {

        void print() throws Exception {
            Map<String, List<TestClass>> types = new TreeMap<>();
            for (String module : modules) {
                types.put(module, TestClass.in(Path.of(module, "target/surefire-reports")));
            }
            printSlowest(types);
            printRankStarts();
            printModules(types);
            printFailures(types);
        }

        private void printModules(Map<String, List<TestClass>> types) throws Exception {
            System.out.println();
            List<TestClass> all = new ArrayList<>();
            for (String module : modules) {
                String line = switch (log.stateOf(module)) {
                    case "SUCCESS" -> Counts.of(types.get(module)).toString();
                    case "FAILURE" -> "FAILED. " + Counts.of(types.get(module));
                    default -> "not run";
                };
                row(module, line);
                all.addAll(types.get(module));
            }
            List<TestClass> slurm = TestClass.in(Path.of("engine/target/slurm-reports"));
            row("all", Counts.of(all).toString());
            row("C++", "Tests run: %d, Failures: %d".formatted(log.nativeTests.size(), log.failedNativeTests.size()));
            row("downstream", downstream());
            if (!slurm.isEmpty()) {
                row("Slurm", Counts.of(slurm).toString());
            }
        }

        /** A project that is meant to fail succeeds by failing. */
        private static String downstream() throws IOException {
            List<Path> reports = new ArrayList<>();
            for (String module : List.of("engine", "cli")) {
                Path folder = Path.of(module, "target/invoker-reports");
                if (Files.isDirectory(folder)) {
                    try (Stream<Path> found = Files.walk(folder)) {
                        found.filter(file -> file.getFileName().toString().matches("BUILD-.*\\.xml"))
                                .forEach(reports::add);
                    }
                }
            }
            int good = 0;
            for (Path report : reports) {
                good += Files.readString(report).contains("result=\"success\"") ? 1 : 0;
            }
            return reports.isEmpty() ? "not run" : "Projects run: %d, as expected: %d".formatted(reports.size(), good);
        }

        private void printSlowest(Map<String, List<TestClass>> types) {
            record Row(double seconds, String module, String name) {}
            List<Row> rows = new ArrayList<>();
            types.forEach(
                    (module, found) -> found.forEach(type -> rows.add(new Row(type.seconds(), module, type.name()))));
            log.nativeTests.forEach((name, seconds) -> rows.add(new Row(seconds, "native-comm", name + " (C++)")));
            if (rows.isEmpty()) {
                return;
            }
            rows.sort(Comparator.comparingDouble(Row::seconds).reversed());
            System.out.printf("%nThe slowest test classes:%n");
            rows.stream()
                    .limit(SLOWEST)
                    .forEach(row -> System.out.printf("%8.1f s  %-12s %s%n", row.seconds, row.module, row.name));
        }

        private void printRankStarts() throws IOException {
            Map<String, RankStarts> starts = new TreeMap<>();
            RankStarts.counted(Path.of("engine/target/rank-starts"), starts);
            RankStarts.reported(Path.of("sample-tests/target"), "the samples", starts);
            RankStarts.reported(Path.of("engine/target/it"), "the downstream projects", starts);
            if (starts.isEmpty()) {
                return;
            }
            RankStarts all = starts.values().stream().reduce(new RankStarts(0, 0, 0), RankStarts::plus);
            System.out.printf(
                    "%nJVMs of ranks that were started: %d, in %d groups, which were up after %.1f s in all. Most for:%n",
                    all.ranks, all.groups, all.seconds);
            starts.entrySet().stream()
                    .sorted(Comparator.comparingDouble(
                                    (Map.Entry<String, RankStarts> entry) -> entry.getValue().seconds)
                            .reversed())
                    .limit(SLOWEST)
                    .forEach(entry -> System.out.printf(
                            "%8.1f s  %4d JVMs in %3d groups  %s%n",
                            entry.getValue().seconds, entry.getValue().ranks, entry.getValue().groups, entry.getKey()));
        }

        private void printFailures(Map<String, List<TestClass>> types) {
            List<String> notRun = modules.stream()
                    .filter(module -> log.stateOf(module).equals("SKIPPED"))
                    .toList();
            if (log.reasons.isEmpty() && notRun.isEmpty()) {
                return;
            }
            System.out.println();
            log.problems.stream().distinct().limit(FAILURES_AT_MOST).forEach(System.out::println);
            log.reasons.forEach((module, reasons) -> {
                reasons.forEach(reason -> System.out.println("FAILED: " + module + ", in " + reason));
                failures(module, types.getOrDefault(module, List.of()))
                        .limit(FAILURES_AT_MOST)
                        .forEach(failure -> System.out.println("    " + failure));
            });
            if (!notRun.isEmpty()) {
                System.out.println("Not run: " + String.join(", ", notRun)
                        + (log.reasons.isEmpty() ? "; Maven ended before it built them" : ", which need what failed"));
            }
        }

        private Stream<String> failures(String module, List<TestClass> types) {
            Stream<String> inJava = types.stream()
                    .flatMap(type -> type.tests().stream())
                    .filter(Test::failed)
                    .map(test -> test.name() + ": " + test.firstLine());
            Stream<String> inCpp = module.equals("native-comm")
                    ? log.failedNativeTests.stream().map(name -> name + " (C++)")
                    : Stream.empty();
            return Stream.concat(inJava, inCpp);
        }

        private static void row(String name, String text) {
            System.out.printf("%-14s %s%n", name, text);
        }
    }
}
