package org.rankunit.engine.launch;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/** Converts the output of a process to text, whatever bytes it contains. */
public final class LogText {

    private LogText() {}

    /** Show bytes that are not UTF-8 as {@code \xff}; everything else is unchanged. */
    public static String of(byte[] bytes) {
        CharsetDecoder decoder = StandardCharsets.UTF_8
                .newDecoder()
                .onMalformedInput(CodingErrorAction.REPORT)
                .onUnmappableCharacter(CodingErrorAction.REPORT);
        ByteBuffer in = ByteBuffer.wrap(bytes);
        CharBuffer out = CharBuffer.allocate(bytes.length + 1);
        StringBuilder text = new StringBuilder(bytes.length);
        CoderResult result;
        do {
            result = decoder.decode(in, out, true);
            text.append(out.flip());
            out.clear();
            for (int i = 0; result.isError() && i < result.length(); i++) {
                text.append(escaped(in.get() & 0xff));
            }
        } while (!result.isUnderflow());
        return text.toString();
    }

    /** Like {@link #of}, but also show control characters that way, except line breaks and tabs. */
    public static String printable(byte[] bytes) {
        StringBuilder text = new StringBuilder(bytes.length);
        of(bytes).chars().forEach(c -> {
            if (Character.isISOControl(c) && c != '\n' && c != '\t') {
                text.append(escaped(c));
            } else {
                text.append((char) c);
            }
        });
        return text.toString();
    }

    private static String escaped(int value) {
        return String.format("\\x%02x", value);
    }
}
