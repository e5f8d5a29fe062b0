package org.rankunit.engine.discovery;

import org.jspecify.annotations.Nullable;

/**
 * Makes text safe for reports. Build tools and IDEs write the names and messages of tests into XML 1.0 files, and a single character
 * that XML does not allow makes such a file unreadable as a whole.
 */
public final class XmlText {

    private XmlText() {}

    /**
     * Replace the characters that XML 1.0 does not allow by Java escapes, as in {@code \}{@code u001b}; everything else stays. These are
     * control characters other than tab and line ends, U+FFFE and U+FFFF, and unpaired surrogates.
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

    /** Like {@link #of(String)}, for text that may be null. */
    public static @Nullable String ofNullable(@Nullable String text) {
        return text == null ? null : of(text);
    }

    private static boolean isLegal(int c) {
        return c >= ' ' ? !isSurrogate(c) && c != 0xfffe && c != 0xffff : c == '\t' || c == '\n' || c == '\r';
    }

    /** A code point that is a surrogate is unpaired, since a pair forms one supplementary code point. */
    private static boolean isSurrogate(int c) {
        return c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE;
    }
}
