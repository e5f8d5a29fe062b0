package org.rankunit.pool.lock;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("unit")
class OwnerFileTest {

    private static final OwnerRecord SELF = OwnerRecord.ofThisProcess(
            "a\\nb\n\r=c\\", Instant.parse("2026-11-21T05:09:00.123Z"), Optional.of(Duration.ofSeconds(90)));

    @Test
    void aRecordIsReadBackAsWritten(@TempDir Path folder) throws Exception {
        OwnerFile file = new OwnerFile(folder, 3, Sharing.ONE_USER);
        file.write(OwnerFile.encode(SELF));
        assertThat(file.read()).contains(SELF);

        file.delete();
        assertThat(file.read()).isEmpty();
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void aLongTestNameIsCut(@TempDir Path folder) throws Exception {
        OwnerFile file = new OwnerFile(folder, 3, Sharing.ONE_USER);
        file.write(OwnerFile.encode(OwnerRecord.ofThisProcess("x".repeat(100_000), Instant.now(), Optional.empty())));
        assertThat(file.read().map(OwnerRecord::test)).contains("x".repeat(500));
    }

    @Test
    void halfARecordIsNone() {
        String whole = new String(OwnerFile.encode(SELF), StandardCharsets.UTF_8);
        assertThat(OwnerFile.decode(whole)).contains(SELF);
        assertThat(OwnerFile.decode(whole.substring(0, whole.indexOf("since="))))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "no record at all",
                "pid=x\nprocess-start=2026-11-21T05:09:00Z\nuser=u\ntest=t\nsince=2026-11-21T05:09:00Z",
                "pid=1\nprocess-start=yesterday\nuser=u\ntest=t\nsince=2026-11-21T05:09:00Z",
                "pid=1\nprocess-start=2026-11-21T05:09:00Z\nuser=u\ntest=t\nsince=2026-11-21T05:09:00Z\nuntil=+1000000000-12-31T00:00:00Z",
                "pid=1\nprocess-start=2026-11-21T05:09:00Z\nuser=u\ntest=t\nsince=-1000000000-01-01T00:00:00Z",
            })
    void otherTextIsNoRecord(String text) {
        assertThat(OwnerFile.decode(text)).isEmpty();
    }
}
