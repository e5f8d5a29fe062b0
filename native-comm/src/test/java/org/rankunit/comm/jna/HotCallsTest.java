package org.rankunit.comm.jna;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class HotCallsTest {

    /** Without it every copy would still work, and only take longer, which no other test would see. */
    @Test
    void theJvmLinksThemWithTheLibraryThatIsLoaded() {
        DeviceLibrary library = DeviceLibrary.of("a2a3sim");

        assertThat(HotCalls.isLinked()).isTrue();
        long[] device = new long[1];
        assertThat(library.open(0, device)).isZero();
        long[] memory = new long[1];
        assertThat(library.allocate(device[0], 64, memory)).isZero();
        assertThat(library.copy(device[0], memory[0], memory[0], 64)).isZero();
        assertThat(library.copy(device[0], memory[0], memory[0] + 1, 64)).isEqualTo(3);
        assertThat(library.lastError()).contains("end outside of the 64 bytes");
        assertThat(library.close(device[0])).isZero();
    }
}
