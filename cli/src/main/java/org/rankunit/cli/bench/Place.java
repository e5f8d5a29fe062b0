package org.rankunit.cli.bench;

import org.rankunit.collective.call.CollectiveCall;

/** Where the output of a measured call is. The columns of the table are in this order. */
enum Place {
    OUT_OF_PLACE,
    IN_PLACE;

    CollectiveCall of(CollectiveCall call) {
        return call.withInPlace(this == IN_PLACE);
    }
}
