package org.rankunit.engine.control;

/** Bounds of everything that crosses the control channel, so that no rank can exhaust its parent. */
public final class Limits {

    /** Largest message in bytes; anything larger ends the channel. */
    public static final int MESSAGE_BYTES = 16 << 20;

    /** Longest text of one throwable's message, in characters. */
    public static final int MESSAGE_CHARS = 64 << 10;

    /** Longest name of a test, in characters. */
    public static final int NAME_CHARS = 4 << 10;

    /** Most stack frames kept of one throwable. */
    public static final int FRAMES = 256;

    /** Most throwables kept of one failure, causes and suppressed ones together. */
    public static final int THROWABLES = 32;

    private Limits() {}

    /** Cut a text to at most {@code max} characters and say by how much. */
    public static String cut(String text, int max) {
        return text.length() <= max
                ? text
                : text.substring(0, max) + "… (" + (text.length() - max) + " more characters)";
    }
}
