package org.rankunit.pool;

import java.io.IOException;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/** The file that says why a device may not be sound; there is none for others. Written by the device's holder. */
final class SuspicionFile {

    private final RecordFile file;

    SuspicionFile(Path platformFolder, int device) {
        file = new RecordFile(platformFolder.resolve(device + ".suspect"));
    }

    void write(Suspicion suspicion) throws IOException {
        file.write(RecordFile.encode(
                Map.of("reason", suspicion.reason(), "since", suspicion.since().toString())));
    }

    void delete() throws IOException {
        file.delete();
    }

    /** What is held against the device, if anything; a file that is no record says nothing. */
    Optional<Suspicion> read() {
        return file.read().flatMap(SuspicionFile::recordOf);
    }

    private static Optional<Suspicion> recordOf(Map<String, String> values) {
        try {
            return Optional.of(
                    new Suspicion(values.getOrDefault("reason", ""), Instant.parse(values.getOrDefault("since", ""))));
        } catch (DateTimeException notARecord) {
            return Optional.empty();
        }
    }
}
