package org.rankunit.engine.cli.bench;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.rankunit.engine.cli.bench.BenchRow.Measured;

/** What a rank says on its standard output, line by line. Other lines are what somebody else has printed there. */
sealed interface RankLine {

    String MARK = "#rankunit";
    String NONE = "-";
    String SEPARATOR = "\t";

    /** The communicator is up, or all sizes are warm, or one measurement of a case is done. */
    record Goes() implements RankLine {}

    /** All measurements of the next case. */
    record Told(Measured outOfPlace, Optional<Measured> inPlace) implements RankLine {}

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
            return String.join(SEPARATOR, MARK, "case", words(Optional.of(told.outOfPlace())), words(told.inPlace()));
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

    /** Empty if the line is somebody else's. */
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
            default ->
                Optional.of(new Told(
                        measured(words.get(2), words.get(3)),
                        words.get(4).equals(NONE)
                                ? Optional.empty()
                                : Optional.of(measured(words.get(4), words.get(5)))));
        };
    }

    private static Measured measured(String micros, String wrong) {
        return new Measured(
                Double.parseDouble(micros),
                wrong.equals(NONE) ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(wrong)));
    }
}
