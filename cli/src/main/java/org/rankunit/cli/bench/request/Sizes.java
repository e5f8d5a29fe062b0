package org.rankunit.cli.bench.request;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.rankunit.cli.pool.UsageException;

/**
 * The sizes that are measured, in bytes: from {@code min} to {@code max}, each larger than the one before by a factor or a number of
 * bytes.
 *
 * @param factor 1 if {@code step} is added
 */
public record Sizes(long min, long max, long step, long factor) {

    private static final long DEFAULT_STEP = 1L << 20;
    private static final int MAX = 10_000;
    private static final Pattern SIZE = Pattern.compile("(\\d{1,15})([KMGkmg]?)");

    /**
     * Read the options.
     *
     * @throws UsageException if one is no size, or they exclude each other
     */
    public static Sizes of(String min, String max, Optional<String> step, Optional<Long> factor) {
        long from = parse("--minbytes", min);
        long to = parse("--maxbytes", max);
        if (from < 1) {
            throw new UsageException(
                    "--minbytes = \"" + min + "\": there is nothing to measure; give 1 or more bytes.");
        }
        if (from > to) {
            throw new UsageException("--minbytes = \"" + min + "\" is more than --maxbytes = \"" + max
                    + "\". Give both, such as -b 8 -e 128M.");
        }
        if (step.isPresent() && factor.isPresent()) {
            throw new UsageException("--stepbytes and --stepfactor exclude each other; give one of them.");
        }
        factor.filter(each -> each < 2).ifPresent(each -> {
            throw new UsageException("--stepfactor = " + each + ": sizes would not grow; give 2 or more.");
        });
        long bytes = step.map(text -> parse("--stepbytes", text)).orElse(DEFAULT_STEP);
        if (bytes < 1) {
            throw new UsageException(
                    "--stepbytes = \"" + step.orElse("") + "\": sizes would not grow; give 1 or more bytes.");
        }
        Sizes sizes = new Sizes(from, to, bytes, factor.orElse(1L));
        if (factor.isEmpty() && (to - from) / bytes >= MAX) {
            throw new UsageException("--stepbytes: " + ((to - from) / bytes + 1) + " sizes from " + min + " to " + max
                    + " are more than " + MAX + "; use --stepfactor 2, or larger steps.");
        }
        return sizes;
    }

    private static long parse(String option, String text) {
        Matcher matcher = SIZE.matcher(text);
        if (!matcher.matches()) {
            throw new UsageException(
                    option + " = \"" + text + "\": expected a number of bytes such as 8, 64K, 32M or 1G.");
        }
        String unit = matcher.group(2).toUpperCase(Locale.ROOT);
        int shift = unit.isEmpty() ? 0 : 10 * " KMG".indexOf(unit);
        long number = Long.parseLong(matcher.group(1));
        if (number > Long.MAX_VALUE >> (shift + 8)) {
            throw new UsageException(option + " = \"" + text + "\": no machine has so much memory.");
        }
        return number << shift;
    }

    /** Whether sizes grow by a factor. */
    public boolean grows() {
        return factor > 1;
    }

    /** Get all sizes, the smallest one first. */
    public List<Long> all() {
        List<Long> all = new ArrayList<>();
        long size = min;
        all.add(size);
        // Compared before, since the next size could overflow.
        while (grows() ? size <= max / factor : size <= max - step) {
            size = grows() ? size * factor : size + step;
            all.add(size);
        }
        return all;
    }
}
