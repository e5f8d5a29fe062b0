package org.rankunit.pool.lock;

import java.io.IOException;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apiguardian.api.API;

/**
 * The file that says who holds a device. A killed holder leaves its record behind; readers detect this from the lock
 * and the process.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class OwnerFile {

    private final RecordFile file;

    OwnerFile(Path platformFolder, int device, Sharing sharing) {
        file = new RecordFile(platformFolder.resolve(device + ".owner"), sharing);
    }

    public Path path() {
        return file.path();
    }

    /** Encode a record once for all devices of a lease. */
    public static byte[] encode(OwnerRecord owner) {
        Map<String, String> values = new LinkedHashMap<>();
        values.put("pid", Long.toString(owner.pid()));
        values.put("process-start", owner.processStart().toString());
        values.put("user", owner.user());
        values.put("test", owner.test());
        values.put("since", owner.since().toString());
        owner.until().ifPresent(until -> values.put("until", until.toString()));
        return RecordFile.encode(values);
    }

    public void write(byte[] encoded) throws IOException {
        file.write(encoded);
    }

    public void delete() throws IOException {
        file.delete();
    }

    /**
     * The record, if there is one and the process that wrote it is still running; call this for a locked device only.
     */
    public Optional<OwnerRecord> read() {
        return file.read().flatMap(OwnerFile::recordOf).filter(OwnerRecord::isOfLiveProcess);
    }

    /** Read what {@link #encode} wrote; empty if the text is not a record. */
    static Optional<OwnerRecord> decode(String text) {
        return recordOf(RecordFile.decode(text));
    }

    private static Optional<OwnerRecord> recordOf(Map<String, String> values) {
        if (!values.keySet().containsAll(Set.of("pid", "process-start", "user", "test", "since"))) {
            return Optional.empty();
        }
        try {
            return Optional.of(new OwnerRecord(
                    Long.parseLong(values.getOrDefault("pid", "")),
                    RecordFile.moment(values.getOrDefault("process-start", "")),
                    values.getOrDefault("user", ""),
                    values.getOrDefault("test", ""),
                    RecordFile.moment(values.getOrDefault("since", "")),
                    Optional.ofNullable(values.get("until")).map(RecordFile::moment)));
        } catch (NumberFormatException | DateTimeException notARecord) {
            return Optional.empty();
        }
    }
}
