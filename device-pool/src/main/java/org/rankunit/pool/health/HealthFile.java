package org.rankunit.pool.health;

import java.io.IOException;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apiguardian.api.API;
import org.rankunit.pool.lock.PoolFiles;
import org.rankunit.pool.lock.RecordFile;
import org.rankunit.pool.lock.Sharing;

/** The file with a device's health; a sound device has none. Only the holder of the device's lock writes it. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class HealthFile {

    private final RecordFile file;

    public HealthFile(Path platformFolder, int device, Sharing sharing) {
        file = new RecordFile(platformFolder.resolve(device + ".health"), sharing);
    }

    public static HealthFile of(PoolFiles files, String platform, int device) {
        return new HealthFile(files.platformFolder(platform), device, files.sharing());
    }

    public void write(DeviceHealth health) throws IOException {
        Map<String, String> values = new LinkedHashMap<>();
        if (health instanceof DeviceHealth.Suspect suspect) {
            values.put("suspect", suspect.reason());
            values.put("since", suspect.since().toString());
        } else if (health instanceof DeviceHealth.Quarantined quarantined) {
            values.put("quarantined", quarantined.reason());
            values.put("since", quarantined.since().toString());
            values.put("until", quarantined.until().toString());
        } else {
            file.delete();
            return;
        }
        file.write(RecordFile.encode(values));
    }

    /** The device's health now; a file that is not a valid record counts as sound. */
    public DeviceHealth read() {
        return file.read().map(values -> healthOf(values, Instant.now())).orElseGet(DeviceHealth.Sound::new);
    }

    static DeviceHealth healthOf(Map<String, String> values, Instant now) {
        try {
            if (values.containsKey("suspect")) {
                return new DeviceHealth.Suspect(
                        values.getOrDefault("suspect", ""), RecordFile.moment(values.getOrDefault("since", "")));
            }
            if (values.containsKey("quarantined")) {
                String reason = values.getOrDefault("quarantined", "");
                Instant since = RecordFile.moment(values.getOrDefault("since", ""));
                Instant until = RecordFile.moment(values.getOrDefault("until", ""));
                return now.isBefore(until)
                        ? new DeviceHealth.Quarantined(reason, since, until)
                        : new DeviceHealth.Suspect("was quarantined: " + reason, since);
            }
        } catch (DateTimeException notARecord) {
            // Ignored, like any other invalid text.
        }
        return new DeviceHealth.Sound();
    }
}
