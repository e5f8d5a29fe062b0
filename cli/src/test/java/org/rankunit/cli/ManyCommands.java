package org.rankunit.cli;

import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Program: run a command for each line of standard input, and print its exit code and what it has printed and complained of. A line is
 * words in Base64, so that a word may hold anything.
 */
final class ManyCommands {

    private ManyCommands() {}

    public static void main(String[] arguments) throws IOException {
        System.setProperty("slf4j.internal.verbosity", "ERROR");
        PrintStream results = System.out;
        BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        for (String line = commands.readLine(); line != null; line = commands.readLine()) {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            ByteArrayOutputStream err = new ByteArrayOutputStream();
            System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
            System.setErr(new PrintStream(err, true, StandardCharsets.UTF_8));
            int code = RankUnitCommand.commandLine().execute(decode(line).toArray(String[]::new));
            results.println(encode(
                    String.valueOf(code), out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8)));
        }
    }

    static String encode(String... words) {
        return Stream.of(words)
                .map(word -> Base64.getEncoder().encodeToString(word.getBytes(StandardCharsets.UTF_8)))
                .collect(Collectors.joining(" "));
    }

    static List<String> decode(String line) {
        List<String> words = new ArrayList<>();
        for (String word : line.split(" ", -1)) {
            words.add(new String(Base64.getDecoder().decode(word), StandardCharsets.UTF_8));
        }
        return words;
    }
}
