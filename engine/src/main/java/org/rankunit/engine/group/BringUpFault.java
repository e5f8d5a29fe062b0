package org.rankunit.engine.group;

import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;
import org.rankunit.device.VendorErrors;
import org.rankunit.engine.link.RankLink;
import org.rankunit.engine.link.RankLinks;
import org.rankunit.engine.link.RankSignal;
import org.rankunit.engine.protocol.DeviceRef;
import org.rankunit.engine.protocol.FromRank;

/** Describes what made a bring-up fail. */
final class BringUpFault implements RankSignal.Visitor<RuntimeException> {

    private final RankLinks links;
    private String message = "";

    /** Why another group may come up; empty if it would fail as well. */
    private String passing = "";

    private Set<DeviceRef> devices = Set.of();

    private BringUpFault(RankLinks links) {
        this.links = links;
    }

    /** Make the exception for the signal that is the cause. A device that reported a fault of its own becomes suspect. */
    static BringUpException of(RankSignal cause, RankLinks links) {
        BringUpFault fault = new BringUpFault(links);
        cause.accept(fault);
        return fault.passing.isEmpty()
                ? new BringUpException(fault.message)
                : BringUpException.passing(fault.message, fault.passing, fault.devices);
    }

    /** Name a rank for a message. */
    static String who(RankLink link) {
        return "rank " + link.rank() + " (" + link.device().describe() + ")";
    }

    @Override
    public void said(RankSignal.Said said) {
        RankLink link = said.link();
        if (!(said.message() instanceof FromRank.BringUpFailed failed)) {
            message = who(link) + " sent " + said + " before it was up";
            return;
        }
        if (failed.deviceError() != 0) {
            link.suspect("failed with " + VendorErrors.describe(failed.deviceError()) + " while it came up");
            devices = Set.of(link.device());
        }
        OptionalInt blamed = BringUpCause.blamed(said);
        message = blamed.isPresent()
                ? who(links.all().get(blamed.getAsInt())) + " failed during bring-up, as only rank " + link.rank()
                        + " reports: " + failed.cause().headline()
                : who(link) + " bootstrap failed while " + failed.stage() + ": "
                        + failed.cause().headline();
        passing = failed.deviceError() == 0 ? "" : message.lines().findFirst().orElse("");
    }

    @Override
    public void hungUp(RankSignal.HungUp hungUp) {
        endedEarly(hungUp.link(), hungUp.why(), hungUp.link().log().tail());
    }

    @Override
    public void gone(RankSignal.Gone gone) {
        RankLink link = gone.link();
        String how = link.process().explain(gone.status());
        if (gone.status().isFromOutside() || link.process().isStartRefused()) {
            passing = early(link, how);
        }
        endedEarly(link, how, link.process().lastWords());
    }

    @Override
    public void lost(RankSignal.Lost lost) {
        endedEarly(lost.link(), lost.why(), lost.link().log().tail());
    }

    private void endedEarly(RankLink link, String how, String lastWords) {
        if (link.process().isNodeLost()) {
            String node = link.device().node();
            devices = links.all().stream()
                    .map(RankLink::device)
                    .filter(device -> device.node().equals(node))
                    .collect(Collectors.toSet());
            passing = early(link, how);
        }
        String strangers = link.hasJoined() ? "" : strangers(links);
        message = early(link, how) + strangers + "; the last lines of "
                + link.log().file() + ":\n" + indent(lastWords);
    }

    private static String early(RankLink link, String how) {
        return who(link) + " " + how + " before it was up";
    }

    /** What to say of strangers if a rank has not connected: they may be why, or be the rank itself. */
    static String strangers(RankLinks links) {
        return links.refusedStrangers().map(refused -> " (" + refused + ")").orElse("");
    }

    private static String indent(String text) {
        return text.lines().map(line -> "    " + line).collect(Collectors.joining("\n"));
    }
}
