package org.rankunit.rules;

import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** Words that kept coming back although native speakers stumble over them. */
public final class UsualWords {

    /** What is found, and what to write instead. */
    private static final Map<String, String> BETTER = Map.ofEntries(
            Map.entry("nobody", "no rank, no process, nothing, never"),
            Map.entry("(some|any)body", "another thread, another user"),
            Map.entry("whoever", "a process that"),
            Map.entry("(the )?begin of", "the start of"),
            Map.entry("for want of", "because there is no"),
            Map.entry("for ever", "forever"),
            Map.entry("in a circle", "in a cycle"),
            Map.entry("is to know", "see also"),
            Map.entry("stays of use", "remains usable"),
            Map.entry("come to its end", "has completed"),
            Map.entry("at the most", "at most"),
            Map.entry("of (ours|yours)", "our own, your own"));

    private UsualWords() {}

    /** Find such words in a text; a line for each, with what to write instead. */
    public static List<String> missedIn(String text) {
        return BETTER.entrySet().stream()
                .flatMap(each -> Pattern.compile("(?i)\\b" + each.getKey() + "\\b")
                        .matcher(text)
                        .results()
                        .map(found -> "\"" + found.group() + "\"; better: " + each.getValue()))
                .toList();
    }
}
