package org.rankunit.collective.algorithms.links;

import static org.apiguardian.api.API.Status.INTERNAL;

import org.apiguardian.api.API;
import org.rankunit.collective.Orchestration;

/** Sub streams that begin after what the main stream has queued, and for which it waits. They need two notifies each. */
@API(status = INTERNAL, since = "0.1")
public final class SubStreams {

    private SubStreams() {}

    /** Let the first sub streams begin. */
    public static void begin(Orchestration self, int count) {
        for (int sub = 0; sub < count; sub++) {
            self.main().post(self.notify(sub));
            self.sub(sub).waitFor(self.notify(sub));
        }
    }

    /** Let the main stream wait for the first sub streams. */
    public static void end(Orchestration self, int count) {
        for (int sub = 0; sub < count; sub++) {
            self.sub(sub).post(self.notify(count + sub));
            self.main().waitFor(self.notify(count + sub));
        }
    }
}
