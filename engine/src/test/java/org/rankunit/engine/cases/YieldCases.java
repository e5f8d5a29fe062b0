package org.rankunit.engine.cases;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.rankunit.DeviceCount;
import org.rankunit.RankContext;

/** Classes that say when they work, and go on when they are told; to a port in the system property {@code yield.port}. */
public final class YieldCases {

    private static final int PATIENCE_MILLIS = 60_000;

    private YieldCases() {}

    private static void sayAndWait(String name) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), Integer.getInteger("yield.port", 0))) {
            socket.setSoTimeout(PATIENCE_MILLIS);
            socket.getOutputStream().write((name + "\n").getBytes(StandardCharsets.UTF_8));
            if (socket.getInputStream().read() < 0) {
                throw new IOException("nobody told " + name + " to go on");
            }
        }
    }

    @DeviceCount(2)
    public static class Kept {

        @Test
        void passes() {}
    }

    @DeviceCount(1)
    public static class Working {

        @Test
        void untilItIsTold() throws IOException {
            sayAndWait("working");
        }
    }

    @DeviceCount(2)
    public static class First {

        @Test
        void works(RankContext rank) throws IOException {
            if (rank.rank() == 0) {
                sayAndWait("first");
            }
            rank.barrier();
        }
    }

    @DeviceCount(2)
    public static class Second {

        @Test
        void works(RankContext rank) throws IOException {
            if (rank.rank() == 0) {
                sayAndWait("second");
            }
            rank.barrier();
        }
    }
}
