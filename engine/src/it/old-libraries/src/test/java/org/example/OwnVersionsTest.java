package org.example;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.core.json.PackageVersion;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.jna.Native;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.rankunit.Buffer;
import org.rankunit.DType;
import org.rankunit.DeviceCount;
import org.rankunit.Placement;
import org.rankunit.RankContext;
import org.rankunit.golden.Golden;

@Tag("ranks")
class OwnVersionsTest {

    @Test
    void anOrdinaryTestSeesTheVersionsOfItsProject() throws Exception {
        expectOwnVersions();
    }

    @Test
    @DeviceCount(2)
    @Buffer(name = "mine", type = DType.FLOAT32, count = 4, placement = Placement.WINDOW)
    void aRankSeesThemToo(RankContext rank) throws Exception {
        expectOwnVersions();
        float me = rank.rank();
        Thread writer = new Thread(() -> rank.buffer("mine").write(me, me, me, me));
        writer.start();
        // That this orders the two is seen by code that RankUnit adds with libraries of its own.
        writer.join();
        rank.barrier();

        Golden.of("mine", me, me, me, me).verify(rank.buffer("mine"));
    }

    private static void expectOwnVersions() throws Exception {
        assertEquals(System.getProperty("versions.jackson"), PackageVersion.VERSION.toString());
        assertEquals("{\"a\":1}", new ObjectMapper().writeValueAsString(Map.of("a", 1)));
        assertEquals(System.getProperty("versions.jna"), Native.VERSION);
    }
}
