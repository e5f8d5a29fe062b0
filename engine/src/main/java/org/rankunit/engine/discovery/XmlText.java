package org.rankunit.engine.discovery;

import org.jspecify.annotations.Nullable;

/**
 * Makes text fit for reports. Build tools and IDEs write what tests say into XML 1.0 files, and a single character that XML cannot
 * hold makes such a file unreadable as a whole.
 */
public final class XmlText {

    private XmlText() {}

    /**
     * Show the characters that XML 1.0 cannot hold as Java would write them, as in {@code \}{@code u001b}; everything else stays. These
     * are control characters other than tab and line ends, U+FFFE and U+FFFF, and surrogates without their other half.
     */
    public static String of(String text) {
        StringBuilder shown = null;
        for (int i = 0; i < text.length(); ) {
            int c = text.codePointAt(i);
            if (isLegal(c)) {
                if (shown != null) {
                    shown.appendCodePoint(c);
                }
            } else {
                shown = shown == null ? new StringBuilder(text.length() + 16).append(text, 0, i) : shown;
                shown.append(String.format("\\u%04x", c));
            }
            i += Character.charCount(c);
        }
        return shown == null ? text : shown.toString();
    }

    /** As {@link #of(String)}, for a text that may be missing. */
    public static @Nullable String ofNullable(@Nullable String text) {
        return text == null ? null : of(text);
    }

    private static boolean isLegal(int c) {
        return c >= ' ' ? !isSurrogate(c) && c != 0xfffe && c != 0xffff : c == '\t' || c == '\n' || c == '\r';
    }

    /** A code point that is a surrogate stands alone: a pair is one code point beyond. */
    private static boolean isSurrogate(int c) {
        return c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE;
    }
}
