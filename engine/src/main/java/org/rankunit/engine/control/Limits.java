package org.rankunit.engine.control;

/** Bounds of everything that crosses the control channel, so that no rank can exhaust its parent. */
public final class Limits {

    /** Largest message in bytes; anything larger ends the channel. */
    public static final int MESSAGE_BYTES = 16 << 20;

    /** Longest text of one throwable's message, in characters. */
    public static final int MESSAGE_CHARS = 64 << 10;

    /** Longest name of a test, in characters. */
    public static final int NAME_CHARS = 4 << 10;

    /** Most characters of all texts in one message together; even escaped they leave room for the rest of it. */
    public static final int TEXT_CHARS = 1 << 20;

    /** Most golden checks kept of one test. */
    public static final int GOLDENS = 1000;

    /** Most entries of one report entry, and most tags of a test. */
    public static final int ENTRIES = 256;

    /** Most stack frames kept of one throwable. */
    public static final int FRAMES = 256;

    /** Most throwables kept of one failure, causes and suppressed ones together. */
    public static final int THROWABLES = 32;

    private Limits() {}

    /** Cut a text to at most {@code max} characters and say by how much. */
    public static String cut(String text, int max) {
        if (text.length() <= max) {
            return text;
        }
        // Not within a character of two parts.
        int kept = max > 0 && Character.isHighSurrogate(text.charAt(max - 1)) ? max - 1 : max;
        return text.substring(0, kept) + "… (" + (text.length() - kept) + " more characters)";
    }
}
