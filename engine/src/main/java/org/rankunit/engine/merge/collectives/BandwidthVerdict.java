package org.rankunit.engine.merge.collectives;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.rankunit.engine.config.Platform;

/**
 * Whether a test was as fast as its {@link org.rankunit.MinBusBandwidth} asks for.
 *
 * @param met false if the test must fail
 * @param text one sentence or more, for people
 */
public record BandwidthVerdict(boolean met, String text) {

    private record Subject(String algorithm, String collective) {}

    /**
     * Judge what a test has measured.
     *
     * @param least in GB/s, above 0
     */
    public static BandwidthVerdict of(double least, Platform platform, List<RanCollective> ran) {
        Map<Subject, Measurement> best = new LinkedHashMap<>();
        ran.stream()
                .flatMap(each -> each.measurement().stream())
                .filter(Measurement::hasData)
                .forEach(each -> best.merge(
                        new Subject(each.algorithm(), each.collective()),
                        each,
                        (one, other) -> one.busBandwidth() >= other.busBandwidth() ? one : other));
        String asked = "@MinBusBandwidth(" + least + ")";
        if (best.isEmpty()) {
            return new BandwidthVerdict(
                    false,
                    asked
                            + " requires a bandwidth, but the test measured none. Measure a collective that has data with"
                            + " MeasuredCollective.time, or remove the annotation.");
        }
        if (platform.isSimulator()) {
            return new BandwidthVerdict(true, asked + " was not judged on " + platform.id());
        }
        List<String> slow = new ArrayList<>();
        best.values().stream().filter(each -> each.busBandwidth() < least).forEach(each -> slow.add(shown(each)));
        return slow.isEmpty()
                ? new BandwidthVerdict(true, asked + " was met by all algorithms that were measured")
                : new BandwidthVerdict(false, asked + " asks for " + least + " GB/s, and " + String.join("; ", slow));
    }

    private static String shown(Measurement each) {
        return String.format(
                Locale.ROOT,
                "%s reached at best %.3f GB/s (%s of %,d bytes of %s in %.2f us)",
                each.algorithm(),
                each.busBandwidth(),
                each.collective(),
                each.bytes(),
                each.type(),
                each.micros());
    }
}
