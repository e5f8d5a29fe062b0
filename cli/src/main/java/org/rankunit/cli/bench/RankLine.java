package org.rankunit.cli.bench;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import org.rankunit.cli.bench.BenchRow.Measured;

/** What a rank says on its standard output, line by line. Other lines were printed there by something else. */
sealed interface RankLine {

    String MARK = "#rankunit";
    String NONE = "-";
    String SEPARATOR = "\t";

    /** The communicator is up, or all sizes are warm, or one measurement of a case is done. */
    record Goes() implements RankLine {}

    /** All measurements of the next case. */
    record Told(Map<Place, Measured> measured) implements RankLine {}

    /** All cases are done and everything is closed. */
    record Done() implements RankLine {}

    /**
     * The rank has failed, and ends.
     *
     * @param ofAnother whether it had to because another rank failed
     */
    record Failed(boolean ofAnother, String message) implements RankLine {}

    default String line() {
        if (this instanceof Told told) {
            return Arrays.stream(Place.values())
                    .map(place -> words(Optional.ofNullable(told.measured().get(place))))
                    .collect(Collectors.joining(SEPARATOR, MARK + SEPARATOR + "case" + SEPARATOR, ""));
        }
        if (this instanceof Failed failed) {
            String text =
                    failed.message().strip().replaceAll("\\s*\\R\\s*", "; ").replace('\t', ' ');
            return String.join(SEPARATOR, MARK, failed.ofAnother() ? "released" : "failed", text);
        }
        return String.join(SEPARATOR, MARK, this instanceof Done ? "done" : "goes");
    }

    private static String words(Optional<Measured> measured) {
        return measured.map(each -> each.micros()
                        + SEPARATOR
                        + (each.wrong().isPresent()
                                ? String.valueOf(each.wrong().getAsLong())
                                : NONE))
                .orElse(NONE + SEPARATOR + NONE);
    }

    /** Empty if something else printed the line. */
    static Optional<RankLine> parse(String line) {
        List<String> words = List.of(line.split(SEPARATOR, -1));
        if (words.size() < 2 || !words.get(0).equals(MARK)) {
            return Optional.empty();
        }
        return switch (words.get(1)) {
            case "goes" -> Optional.of(new Goes());
            case "done" -> Optional.of(new Done());
            case "released" -> Optional.of(new Failed(true, words.get(2)));
            case "failed" -> Optional.of(new Failed(false, words.get(2)));
            default -> Optional.of(new Told(measured(words.subList(2, words.size()))));
        };
    }

    /** @param words two for each place */
    private static Map<Place, Measured> measured(List<String> words) {
        Map<Place, Measured> measured = new EnumMap<>(Place.class);
        Iterator<String> next = words.iterator();
        for (Place place : Place.values()) {
            String micros = next.next();
            String wrong = next.next();
            if (!micros.equals(NONE)) {
                measured.put(place, measured(micros, wrong));
            }
        }
        return measured;
    }

    private static Measured measured(String micros, String wrong) {
        return new Measured(
                Double.parseDouble(micros),
                wrong.equals(NONE) ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(wrong)));
    }
}
