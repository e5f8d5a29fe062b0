package org.rankunit.collective.select;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.apiguardian.api.API;
import org.rankunit.collective.call.Collective;

/**
 * What {@code HCCL_ALGO} asks for between servers: {@code level0:NA;level1:ring} for all collectives, or
 * {@code allreduce=level0:NA;level1:ring/allgather=level0:NA;level1:NHR} for some.
 *
 * <p>Source: HCCL's environment variables. RankUnit has algorithms for {@code ring}, {@code H-D_R}, {@code NHR} and {@code NB}; it
 * refuses others.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public final class HcclAlgo {

    private static final List<String> KNOWN = List.of("ring", "H-D_R", "NHR", "NB");
    private static final String LEVEL0 = "level0:NA";
    private static final String LEVEL1 = "level1:";
    private static final String ANY = "";

    /** The algorithm by the name of the collective as HCCL writes it; the empty name stands for all. */
    private final Map<String, String> level1;

    private HcclAlgo(Map<String, String> level1) {
        this.level1 = level1;
    }

    /** Nothing is asked for. */
    public static HcclAlgo none() {
        return new HcclAlgo(Map.of());
    }

    /**
     * Read the value of the variable.
     *
     * @throws IllegalArgumentException if it is not of the form above; the message has the part and the allowed values
     */
    public static HcclAlgo parse(String value) {
        Map<String, String> level1 = new LinkedHashMap<>();
        for (String part : value.split("/", -1)) {
            int equals = part.indexOf('=');
            String collective = equals < 0 ? ANY : part.substring(0, equals);
            if (equals >= 0
                    && List.of(Collective.values()).stream()
                            .noneMatch(each -> nameOf(each).equals(collective))) {
                throw refused(value, "\"" + collective + "\" is not a collective");
            }
            if (level1.put(collective, level1(value, part.substring(equals + 1))) != null) {
                throw refused(value, "\"" + part + "\" is the second entry for the same collective");
            }
        }
        return new HcclAlgo(level1);
    }

    private static String level1(String value, String levels) {
        String[] both = levels.split(";", -1);
        if (both.length != 2 || !both[0].equals(LEVEL0) || !both[1].startsWith(LEVEL1)) {
            throw refused(value, "\"" + levels + "\" is not of the form " + LEVEL0 + ";" + LEVEL1 + "ALGORITHM");
        }
        String algorithm = both[1].substring(LEVEL1.length());
        if (!KNOWN.contains(algorithm)) {
            throw refused(value, "\"" + algorithm + "\" is not one of " + String.join(", ", KNOWN));
        }
        return algorithm;
    }

    private static IllegalArgumentException refused(String value, String reason) {
        return new IllegalArgumentException("HCCL_ALGO = \"" + value + "\": " + reason + ".");
    }

    /** As HCCL writes it: {@code allreduce}. */
    private static String nameOf(Collective collective) {
        return collective.name().toLowerCase(Locale.ROOT).replace("_", "");
    }

    /** The algorithm that is asked for between servers, such as {@code "ring"}. */
    public Optional<String> level1(Collective collective) {
        return Optional.ofNullable(level1.getOrDefault(nameOf(collective), level1.get(ANY)));
    }
}
