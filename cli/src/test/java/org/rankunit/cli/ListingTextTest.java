package org.rankunit.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.rankunit.cli.Listings.WORDS;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.rankunit.cli.pool.Listing;

@Tag("unit")
class ListingTextTest {

    private static final int WIDTH = 120;

    @Test
    void aQuietMachineIsSaidInOneLinePerDevice() {
        Listing listing = Listings.of(List.of(Listings.free(0), Listings.free(1)), List.of());

        assertThat(ListingText.lines(listing, WORDS, WIDTH))
                .containsExactly(
                        "DEVICE  PLATFORM  HEALTH  STATE  TEST  SINCE",
                        "0       a2a3      ok      free",
                        "1       a2a3      ok      free",
                        "",
                        "No request is waiting.");
    }

    @Test
    void holdersHealthAndQueueAreSaid() {
        Listing listing = Listings.of(
                List.of(
                        Listings.held(0),
                        Listings.heldBySomebody(1),
                        Listings.suspect(2, "rank 2 was killed"),
                        Listings.quarantined(3),
                        Listings.leftOut(4)),
                List.of(Listings.waiter(1)));

        assertThat(ListingText.lines(listing, WORDS, 160))
                .containsExactly(
                        "DEVICE  PLATFORM  HEALTH                                                     STATE"
                                + "                               TEST                       SINCE",
                        "0       a2a3      ok                                                         pid 4711"
                                + " (ada)                      org.example.AllReduceTest  14:02:10",
                        "1       a2a3      ok                                                         held by a"
                                + " process without a record",
                        "2       a2a3      suspect: rank 2 was killed                                 free",
                        "3       a2a3      quarantined until 15:04:00: the probe ended with status 1  free",
                        "4       a2a3      npu-smi: Alarm                                             not available:"
                                + " npu-smi says Alarm",
                        "",
                        "PLACE  PLATFORM  WHO            COUNT  DEVICES  TEST                     WAITS FOR   PROMISED",
                        "1      a2a3      pid 815 (bob)  4      0-3, 5   org.example.TreduceTest  1 min 10 s  14:07:10");
    }

    @Test
    void whereTheTerminalIsNarrowTheEndOfATestsNameIsKept() {
        Listing listing = Listings.of(List.of(Listings.held(0)), List.of());

        assertThat(ListingText.lines(listing, WORDS, 68))
                .startsWith(
                        "DEVICE  PLATFORM  HEALTH  STATE           TEST              SINCE",
                        "0       a2a3      ok      pid 4711 (ada)  ...AllReduceTest  14:02:10");
    }

    @Test
    void whatOthersHaveWrittenCommandsNoTerminal() {
        Listing listing = Listings.of(List.of(Listings.suspect(0, "\u001b[2Jall\nis \u202Ewell\u009b")), List.of());

        assertThat(ListingText.lines(listing, WORDS, WIDTH).get(1)).contains("suspect: [2Jall is well ");
    }

    @Test
    void notesAreSaidAtTheEnd() {
        Listing listing = new Listing(Listings.NOW, Path.of("/pool"), List.of(), List.of(), List.of("no NPU"));

        assertThat(ListingText.lines(listing, WORDS, WIDTH))
                .containsExactly("No devices.", "", "No request is waiting.", "Note: no NPU.");
    }
}
