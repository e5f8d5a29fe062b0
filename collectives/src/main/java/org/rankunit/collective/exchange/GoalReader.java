package org.rankunit.collective.exchange;

import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.rankunit.collective.exchange.GoalOperation.Kind;

/** Reads a GOAL file from its first line to its last one. */
final class GoalReader {

    private static final int MAX_RANKS = 1 << 20;
    private static final int OUTSIDE = -1;
    private static final long MAX_TAG = 0xffff_ffffL;
    private static final String OPERATION = "\"send\", \"recv\" or \"calc\"";

    private final BufferedReader reader;
    private final String source;
    private int lines;
    private boolean inComment;

    private @Nullable Operations[] ranks = {};
    private int rank = OUTSIDE;
    private Operations operations = new Operations();
    private final Map<String, Integer> labels = new HashMap<>();
    /** Where the operations of the current rank are, lines and columns by turns. */
    private int[] positions = new int[32];

    private final MessageCheck messages = new MessageCheck();

    GoalReader(BufferedReader reader, String source) {
        this.reader = reader;
        this.source = source;
    }

    GoalProgram read() throws IOException {
        for (String text = reader.readLine(); text != null; text = reader.readLine()) {
            lines++;
            GoalLine line = new GoalLine(source, withoutComments(text), lines);
            while (!line.isAtEnd()) {
                if (ranks.length == 0) {
                    line.take("num_ranks");
                    ranks = new Operations[(int) line.number("a number of ranks", 1, MAX_RANKS)];
                } else if (rank == OUTSIDE) {
                    open(line);
                } else if (line.takes("}")) {
                    close();
                } else {
                    statement(line);
                }
            }
        }
        return end();
    }

    private String withoutComments(String text) {
        if (!inComment && text.indexOf('/') < 0) {
            return text;
        }
        char[] kept = text.toCharArray();
        int at = 0;
        while (at < kept.length) {
            boolean turns = text.startsWith(inComment ? "*/" : "/*", at);
            if (!inComment && text.startsWith("//", at)) {
                return new String(kept, 0, at);
            }
            int end = turns ? at + 2 : at + 1;
            if (inComment || turns) {
                Arrays.fill(kept, at, end, ' ');
            }
            inComment ^= turns;
            at = end;
        }
        return new String(kept);
    }

    private void open(GoalLine line) {
        line.take("rank");
        int column = line.column();
        int number = line.smallNumber("a rank", ranks.length - 1);
        if (ranks[number] != null) {
            throw new GoalFormatException(
                    source, line.number(), column, "rank " + number + " again", "one block for each rank");
        }
        line.take("{");
        rank = number;
        operations = new Operations();
        labels.clear();
    }

    private void statement(GoalLine line) {
        int column = line.column();
        if (operation(line, column)) {
            endStatement(line);
            return;
        }
        String label = line.word("a label, " + OPERATION);
        if (line.takes(":")) {
            if (labels.putIfAbsent(label, operations.size()) != null) {
                throw new GoalFormatException(
                        source, line.number(), column, "label " + label + " again", "another label");
            }
            if (!operation(line, column)) {
                throw line.unexpected(OPERATION);
            }
        } else {
            boolean start = line.takes("irequires");
            if (!start && !line.takes("requires")) {
                throw line.unexpected("\":\", \"requires\" or \"irequires\"");
            }
            int dependent = known(label, line, column);
            int requiredColumn = line.column();
            String required = line.word("a label");
            operations.depend(dependent, known(required, line, requiredColumn), start);
        }
        endStatement(line);
    }

    private int known(String label, GoalLine line, int column) {
        Integer operation = labels.get(label);
        if (operation == null) {
            throw new GoalFormatException(
                    source,
                    line.number(),
                    column,
                    "rank " + rank + " has no label " + label + " so far",
                    "a label of an operation above");
        }
        return operation;
    }

    private static void endStatement(GoalLine line) {
        if (!line.isAtEnd() && !line.isAt("}")) {
            throw line.unexpected("the end of the line");
        }
    }

    /** Take an operation; returns false if there is none. */
    private boolean operation(GoalLine line, int column) {
        if (line.takes("calc")) {
            long nanos = line.number("nanoseconds", 0, Long.MAX_VALUE);
            add(Kind.CALC, nanos, -1, 0, line, column);
            return true;
        }
        boolean send = line.takes("send");
        if (!send && !line.takes("recv")) {
            return false;
        }
        long bytes = line.number("bytes", 0, Long.MAX_VALUE);
        line.take("b");
        line.take(send ? "to" : "from");
        int peer = !send && line.takes("-1") ? GoalOperation.ANY : line.smallNumber("a rank", ranks.length - 1);
        int tag = line.takes("tag") ? tag(line) : 0;
        add(send ? Kind.SEND : Kind.RECV, bytes, peer, tag, line, column);
        messages.add(
                send,
                send ? rank : peer,
                send ? peer : rank,
                tag,
                bytes,
                ((long) line.number() << Integer.SIZE) | column);
        return true;
    }

    /** Of 32 bits; the largest one is any, as -1 is. */
    private static int tag(GoalLine line) {
        return line.takes("-1") ? GoalOperation.ANY : (int) line.number("a tag", 0, MAX_TAG);
    }

    private void add(Kind kind, long amount, int peer, int tag, GoalLine line, int column) {
        int cpu = line.takes("cpu") ? line.smallNumber("a cpu", Integer.MAX_VALUE) : 0;
        int nic = line.takes("nic") ? line.smallNumber("a nic", Integer.MAX_VALUE) : 0;
        int number = operations.add(kind, amount, peer, tag, cpu, nic);
        if (2 * number == positions.length) {
            positions = Arrays.copyOf(positions, 4 * number);
        }
        positions[2 * number] = line.number();
        positions[2 * number + 1] = column;
    }

    private void close() {
        operations.built();
        List<Integer> circle = Circles.find(operations);
        if (!circle.isEmpty()) {
            int first = circle.get(0);
            Map<Integer, String> names = new HashMap<>();
            labels.forEach((label, operation) -> names.put(operation, label));
            List<String> told =
                    circle.stream().map(each -> names.getOrDefault(each, "?")).toList();
            throw new GoalFormatException(
                    source,
                    positions[2 * first],
                    positions[2 * first + 1],
                    "operations of rank " + rank + " wait for each other in a cycle: " + String.join(" -> ", told),
                    "dependencies without a cycle");
        }
        ranks[rank] = operations;
        rank = OUTSIDE;
    }

    private GoalProgram end() {
        int last = lines + 1;
        if (inComment) {
            throw new GoalFormatException(source, last, 1, "the file ends", "\"*/\"");
        }
        if (ranks.length == 0) {
            throw new GoalFormatException(source, last, 1, "the file ends", "\"num_ranks\"");
        }
        if (rank != OUTSIDE) {
            throw new GoalFormatException(source, last, 1, "the file ends", "\"}\" after rank " + rank);
        }
        List<Operations> all = new ArrayList<>();
        for (int each = 0; each < ranks.length; each++) {
            Operations found = ranks[each];
            if (found == null) {
                throw new GoalFormatException(source, last, 1, "the file ends", "\"rank " + each + " {\"");
            }
            all.add(found);
        }
        messages.problem().ifPresent(problem -> {
            throw new GoalFormatException(
                    source,
                    (int) (problem.place() >>> Integer.SIZE),
                    (int) problem.place(),
                    problem.what(),
                    problem.expected());
        });
        return new GoalProgram(all);
    }
}
