package org.rankunit.cli.doctor.check;

import java.util.Locale;

/** Formats numbers for people. Stateless. */
public final class Amounts {

    private static final String[] UNITS = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
    private static final int STEP = 1024;

    private Amounts() {}

    /** Formats a number of bytes: {@code 64 MiB}, {@code 1.5 GiB}. */
    public static String bytes(long bytes) {
        double amount = bytes;
        int unit = 0;
        while (amount >= STEP && unit < UNITS.length - 1) {
            amount /= STEP;
            unit++;
        }
        String text = String.format(Locale.ROOT, "%.1f", amount);
        return (text.endsWith(".0") ? text.substring(0, text.length() - 2) : text) + " " + UNITS[unit];
    }
}
