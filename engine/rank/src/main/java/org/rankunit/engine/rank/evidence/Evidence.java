package org.rankunit.engine.rank.evidence;

import java.util.List;
import java.util.Locale;
import org.rankunit.comm.recorder.RecordedOperation;
import org.rankunit.device.DeviceActivity;
import org.rankunit.engine.protocol.CommOperation;
import org.rankunit.engine.protocol.FromRank;
import org.rankunit.engine.protocol.LogMark;

/** What this rank can report about itself while it hangs: where its threads are, and the last operations of its communicator. */
public final class Evidence {

    private Evidence() {}

    /**
     * Print everything to the log, and return what the parent needs.
     *
     * @param recorded the last operations of the communicator, oldest first
     */
    public static FromRank.Evidence show(Thread main, List<RecordedOperation> recorded) {
        List<CommOperation> operations = told(recorded);
        RankConsole.err().println(LogMark.EVIDENCE_BEGINS);
        String mainThread = Stacks.show(main);
        RankConsole.err().print(table(operations, System.nanoTime()));
        RankConsole.err().println(LogMark.EVIDENCE_ENDS);
        RankConsole.err().flush();
        return new FromRank.Evidence(mainThread, TestLine.of(List.of(main.getStackTrace())), operations);
    }

    /** Answer a look at this rank. Prints nothing, since the rank may be perfectly healthy. */
    public static FromRank.Seen seen(int round, Thread main, List<RecordedOperation> recorded, DeviceActivity devices) {
        return new FromRank.Seen(
                round, TestLine.of(List.of(main.getStackTrace())), told(recorded), DeviceEvidence.of(devices, main));
    }

    private static List<CommOperation> told(List<RecordedOperation> recorded) {
        return recorded.stream().map(Evidence::told).toList();
    }

    private static CommOperation told(RecordedOperation operation) {
        return new CommOperation(
                operation.kind().text(),
                operation.number(),
                operation.bytes(),
                operation.peers(),
                operation.domain(),
                operation.limited(),
                operation.state().name().toLowerCase(Locale.ROOT),
                operation.startedNanos(),
                TestLine.of(operation.callers()));
    }

    private static String table(List<CommOperation> operations, long now) {
        StringBuilder text =
                new StringBuilder("rankunit: the last operations of this rank's communicator, oldest first\n");
        for (CommOperation each : operations) {
            text.append("    ").append(each.nameAndPlace()).append(' ').append(each.state());
            if (each.bytes() > 0) {
                text.append(", ").append(each.bytes()).append(" bytes");
            }
            if (each.domain() == 0 && !each.peers().isEmpty()) {
                text.append(", with ranks ").append(each.peers());
            }
            text.append(", started ")
                    .append((now - each.startedNanos()) / 1_000_000)
                    .append(" ms ago\n");
        }
        return operations.isEmpty() ? text.append("    none\n").toString() : text.toString();
    }

    /** The last operation that another rank's failure ended here, or an empty string. */
    public static String lastReleased(List<RecordedOperation> operations) {
        for (int i = operations.size() - 1; i >= 0; i--) {
            if (operations.get(i).state() == RecordedOperation.State.RELEASED) {
                return told(firstOfItsRelease(operations, i)).nameAndPlace();
            }
        }
        return "";
    }

    /** Clean-up methods may try again in vain; the first of these operations is the one that the test was in. */
    private static RecordedOperation firstOfItsRelease(List<RecordedOperation> operations, int last) {
        int first = last;
        while (first > 0 && operations.get(first - 1).state() == RecordedOperation.State.RELEASED) {
            first--;
        }
        return operations.get(first);
    }
}
