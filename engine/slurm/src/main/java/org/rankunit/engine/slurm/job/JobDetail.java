package org.rankunit.engine.slurm.job;

import java.time.LocalDateTime;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * What {@code scontrol show job -d} says of a job.
 *
 * @param state as Slurm writes it: {@code PENDING}, {@code RUNNING}, {@code TIMEOUT}, {@code NODE_FAIL},
 *     {@code PREEMPTED}
 * @param reason why it waits or has ended, in Slurm's words; {@code None} for no reason
 * @param nodes its nodes in Slurm's order, which is the order of the ranks; empty while it waits
 * @param end when it ends at the latest, or has ended, in the time zone of this machine; empty without a time limit
 * @param batchHost its first node; empty while it waits
 * @param restarts how often Slurm has started it again
 */
public record JobDetail(
        String id,
        String state,
        String reason,
        List<NodeShare> nodes,
        Optional<LocalDateTime> end,
        Optional<String> batchHost,
        int restarts) {

    private static final Pattern ID = line("JobId=(\\d+)(?: .*)?");
    private static final Pattern STATE = line("   JobState=(\\S+) Reason=(.*?) Dependency=.*");
    private static final Pattern RESTARTS = line("   Requeue=\\S+ Restarts=(\\d+) .*");
    private static final Pattern END = line("   StartTime=\\S+ EndTime=(\\S+) .*");
    private static final Pattern NODE_LIST = line("   NodeList=(\\S*)");
    private static final Pattern BATCH_HOST = line("   BatchHost=(\\S+)");
    private static final Pattern SHARE = line("     Nodes=(\\S+) CPU_IDs=(\\S*) Mem=\\S+ GRES=(.*)");

    public JobDetail {
        nodes = List.copyOf(nodes);
    }

    /**
     * Reads what {@code scontrol show job -d ID} prints for one job. Only the form with several lines can be read: with
     * {@code -o}, nothing tells the name of a job, which may contain blanks and {@code Nodes=}, from the other fields.
     *
     * <p>{@code SLURM_TIME_FORMAT} must not be set for the command, because Slurm then writes times in another form.
     *
     * @param gres the resource whose devices are counted
     * @throws IllegalArgumentException if the text has another form, has several jobs, as for a heterogeneous job, or
     *     contradicts itself
     */
    public static JobDetail parse(String scontrolText, GresName gres) {
        String id = one(ID, scontrolText).group(1);
        MatchResult state = one(STATE, scontrolText);
        String nodeList = one(NODE_LIST, scontrolText).group(1);
        return new JobDetail(
                id,
                state.group(1),
                state.group(2),
                shares(scontrolText, nodeList, state.group(1).equals("RUNNING"), gres),
                time(one(END, scontrolText).group(1)),
                atMostOne(BATCH_HOST, scontrolText).map(match -> match.group(1)),
                Integer.parseInt(one(RESTARTS, scontrolText).group(1)));
    }

    private static List<NodeShare> shares(String text, String nodeList, boolean isRunning, GresName gres) {
        List<String> order = isNone(nodeList) ? List.of() : HostList.expand(nodeList);
        List<NodeShare> shares = new ArrayList<>();
        for (MatchResult match : all(SHARE, text)) {
            int cpus =
                    match.group(2).isEmpty() ? 0 : IdList.parse(match.group(2)).size();
            GresShare devices = GresShare.parse(match.group(3).strip(), gres);
            for (String node : HostList.expand(match.group(1))) {
                shares.add(new NodeShare(node, cpus, devices.count(), devices.ids()));
            }
        }
        List<String> named = shares.stream().map(NodeShare::node).sorted().toList();
        if ((isRunning || !named.isEmpty())
                && !named.equals(order.stream().sorted().toList())) {
            throw bad(text, "it has the nodes " + nodeList + ", and details of " + String.join(", ", named));
        }
        shares.sort(Comparator.comparingInt(share -> order.indexOf(share.node())));
        return shares;
    }

    private static Optional<LocalDateTime> time(String text) {
        if (text.equals("Unknown") || text.equals("N/A") || text.equals("None")) {
            return Optional.empty();
        }
        try {
            return Optional.of(LocalDateTime.parse(text));
        } catch (DateTimeParseException e) {
            throw new IllegalArgumentException(
                    "\"" + text + "\" is not a time as Slurm writes it: is SLURM_TIME_FORMAT set?", e);
        }
    }

    private static boolean isNone(String value) {
        return value.isEmpty() || value.equals("(null)");
    }

    /** Several lines of a kind would be several jobs, or the name of a job that contains a line. */
    private static MatchResult one(Pattern line, String text) {
        return atMostOne(line, text).orElseThrow(() -> bad(text, "no line has the form \"" + line + "\""));
    }

    private static Optional<MatchResult> atMostOne(Pattern line, String text) {
        List<MatchResult> found = all(line, text);
        if (found.size() > 1) {
            throw bad(text, found.size() + " lines have the form \"" + line + "\"");
        }
        return found.stream().findFirst();
    }

    private static List<MatchResult> all(Pattern line, String text) {
        return line.matcher(text).results().toList();
    }

    private static Pattern line(String form) {
        return Pattern.compile("^" + form + "$", Pattern.MULTILINE);
    }

    private static IllegalArgumentException bad(String text, String what) {
        String shown = text.length() > 4000 ? text.substring(0, 4000) + "..." : text;
        return new IllegalArgumentException("This is not the output of scontrol for one job: " + what + ".\n" + shown);
    }
}
