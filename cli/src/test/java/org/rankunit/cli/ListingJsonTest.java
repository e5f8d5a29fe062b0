package org.rankunit.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class ListingJsonTest {

    @Test
    void aHeldDeviceHasItsHolderWithExactTimes() throws Exception {
        assertThat(ListingJson.write(Listings.of(List.of(Listings.held(0)), List.of())))
                .isEqualTo("""
                        {
                          "version" : 1,
                          "at" : "2026-11-21T14:05:00Z",
                          "folder" : "/pool",
                          "devices" : [ {
                            "device" : 0,
                            "platform" : "a2a3",
                            "state" : "held",
                            "holder" : {
                              "pid" : 4711,
                              "user" : "ada",
                              "test" : "org.example.AllReduceTest",
                              "since" : "2026-11-21T14:02:10.250Z",
                              "until" : "2026-11-21T14:07:10.250Z"
                            },
                            "health" : {
                              "state" : "sound",
                              "reason" : null,
                              "since" : null,
                              "until" : null
                            },
                            "npu" : {
                              "index" : 0,
                              "chip" : "910B3",
                              "health" : "ok",
                              "healthText" : "OK"
                            },
                            "leftOut" : null
                          } ],
                          "waiting" : [ ],
                          "notes" : [ ]
                        }""");
    }

    @Test
    void aDeviceInQuarantineSaysWhyAndUntilWhen() throws Exception {
        assertThat(ListingJson.write(Listings.of(List.of(Listings.quarantined(3)), List.of())))
                .contains("""
                    "health" : {
                      "state" : "quarantined",
                      "reason" : "the probe ended with status 1",
                      "since" : "2026-11-21T14:04:00Z",
                      "until" : "2026-11-21T15:04:00Z"
                    },
                """);
    }

    @Test
    void aDeviceThatIsNotLentSaysWhy() throws Exception {
        assertThat(ListingJson.write(Listings.of(List.of(Listings.leftOut(4)), List.of())))
                .contains("\"state\" : \"left-out\"", "\"leftOut\" : \"npu-smi says Alarm\"");
    }

    @Test
    void whoWaitsHasAPlaceAndAPromise() throws Exception {
        assertThat(ListingJson.write(Listings.of(List.of(), List.of(Listings.waiter(1)))))
                .contains("""
                  "waiting" : [ {
                    "place" : 1,
                    "platform" : "a2a3",
                    "pid" : 815,
                    "user" : "bob",
                    "test" : "org.example.TreduceTest",
                    "count" : 4,
                    "devices" : [ 0, 1, 2, 3, 5 ],
                    "since" : "2026-11-21T14:03:50Z",
                    "promised" : "2026-11-21T14:07:10Z"
                  } ],
                """);
    }
}
