package org.rankunit.engine.protocol.wire;

/** Limits for everything that crosses the control channel, so that no rank can exhaust its parent. */
public final class Limits {

    /** Maximum size of a message in bytes; a larger one ends the channel. */
    public static final int MESSAGE_BYTES = 16 << 20;

    /** Maximum size of the first message of a connection in bytes: its sender is not known yet. */
    public static final int FIRST_MESSAGE_BYTES = 4 << 10;

    /** Maximum length of one throwable's message, in characters. */
    public static final int MESSAGE_CHARS = 64 << 10;

    /** Maximum length of a test's name, in characters. */
    public static final int NAME_CHARS = 4 << 10;

    /**
     * Maximum total length of all texts in one message, in characters. Even escaped, they leave room for the rest of the message.
     */
    public static final int TEXT_CHARS = 1 << 20;

    /** Maximum number of golden checks kept for one test. */
    public static final int GOLDENS = 1000;

    /** Maximum number of pairs in one report entry, and of tags of a test. */
    public static final int ENTRIES = 256;

    /** Maximum number of stack frames kept for one throwable. */
    public static final int FRAMES = 256;

    /** Maximum number of throwables kept for one failure, including causes and suppressed ones. */
    public static final int THROWABLES = 32;

    /** Maximum number of collectives kept for one test: of different tags, algorithms or calls. */
    public static final int COLLECTIVES = 64;

    /** Maximum number of pictures of collectives that a rank draws, and of those in a report. */
    public static final int PICTURES = 20;

    /** Maximum length of one picture of a collective, in characters. */
    public static final int PICTURE_CHARS = 512 << 10;

    private Limits() {}

    /** Cut a text to at most {@code max} characters, and append how many are missing. */
    public static String cut(String text, int max) {
        if (text.length() <= max) {
            return text;
        }
        // Do not split a surrogate pair.
        int kept = max > 0 && Character.isHighSurrogate(text.charAt(max - 1)) ? max - 1 : max;
        return text.substring(0, kept) + "… (" + (text.length() - kept) + " more characters)";
    }
}
