package org.rankunit.cli;

import java.util.ArrayList;
import java.util.List;
import org.rankunit.cli.pool.Listing;
import org.rankunit.cli.text.DisplayText;
import org.rankunit.cli.text.TextTable;
import org.rankunit.cli.text.TextTable.Column;
import org.rankunit.cli.text.TextTable.Spare;
import org.rankunit.pool.DeviceState;
import org.rankunit.pool.DeviceStatus;
import org.rankunit.pool.inventory.DeviceList;
import org.rankunit.pool.lock.OwnerRecord;

/** A listing for people: a table of devices, then a table of waiting requests. Stateless. */
final class ListingText {

    private static final List<Column> DEVICES = List.of(
            Column.whole("DEVICE"),
            Column.whole("PLATFORM"),
            new Column("HEALTH", Spare.END),
            new Column("STATE", Spare.END),
            new Column("TEST", Spare.FRONT),
            Column.whole("SINCE"));

    private static final List<Column> WAITING = List.of(
            Column.whole("PLACE"),
            Column.whole("PLATFORM"),
            new Column("WHO", Spare.END),
            Column.whole("COUNT"),
            new Column("DEVICES", Spare.END),
            new Column("TEST", Spare.FRONT),
            Column.whole("WAITS FOR"),
            Column.whole("PROMISED"));

    private ListingText() {}

    /** Formats the listing in lines of at most {@code width} characters, where possible. */
    static List<String> lines(Listing listing, DisplayText words, int width) {
        List<String> lines = new ArrayList<>();
        if (listing.devices().isEmpty()) {
            lines.add("No devices.");
        } else {
            lines.addAll(new TextTable(
                            DEVICES,
                            listing.devices().stream()
                                    .map(entry -> device(entry, words))
                                    .toList())
                    .lines(width));
        }
        lines.add("");
        if (listing.waiting().isEmpty()) {
            lines.add("No request is waiting.");
        } else {
            lines.addAll(new TextTable(
                            WAITING,
                            listing.waiting().stream()
                                    .map(waiter -> waiter(waiter, words))
                                    .toList())
                    .lines(width));
        }
        listing.notes().forEach(note -> lines.add("Note: " + DisplayText.plain(note) + "."));
        return lines;
    }

    private static List<String> device(Listing.Entry entry, DisplayText words) {
        OwnerRecord owner = entry.status().flatMap(DeviceStatus::owner).orElse(null);
        return List.of(
                String.valueOf(entry.id()),
                entry.platform(),
                words.health(entry.npu(), entry.health()),
                entry.status().map(ListingText::state).orElse("not available: " + DisplayText.plain(entry.leftOut())),
                owner == null ? "" : DisplayText.plain(owner.test()),
                owner == null ? "" : words.clock(owner.since()));
    }

    private static String state(DeviceStatus status) {
        if (status.state() == DeviceState.FREE) {
            return "free";
        }
        return status.owner().map(DisplayText::process).orElse("held by a process without a record");
    }

    private static List<String> waiter(Listing.Waiter waiter, DisplayText words) {
        OwnerRecord who = waiter.request().who();
        return List.of(
                String.valueOf(waiter.place()),
                waiter.platform(),
                DisplayText.process(who),
                String.valueOf(waiter.request().count()),
                DeviceList.format(waiter.request().devices()),
                DisplayText.plain(who.test()),
                words.ago(who.since()),
                waiter.request().promised().map(words::clock).orElse(""));
    }
}
