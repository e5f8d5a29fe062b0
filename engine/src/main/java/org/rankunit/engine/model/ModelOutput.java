package org.rankunit.engine.model;

import java.io.IOException;
import java.io.Reader;
import java.util.function.Consumer;

/** What models print, in which a token at the end of a line marks an answer. Of each model, so much is shown that it fills no memory. */
final class ModelOutput {

    private static final int MAX_OF_A_LINE = 8 << 10;
    private static final int MAX_OF_A_MODEL = 256 << 10;

    private final String token;
    private final Consumer<String> console;
    private final Runnable answered;
    private final StringBuilder line = new StringBuilder();
    private long chars;
    private long leftOut;

    /**
     * Prepare to read.
     *
     * @param console takes lines
     * @param answered is called at each answer
     */
    ModelOutput(String token, Consumer<String> console, Runnable answered) {
        this.token = token;
        this.console = console;
        this.answered = answered;
    }

    /** Read to the end. */
    void read(Reader output) throws IOException {
        for (int c = output.read(); c >= 0; c = output.read()) {
            if (c == '\n') {
                lineEnds();
            } else {
                line.append((char) c);
                if (line.length() == MAX_OF_A_LINE + token.length()) {
                    // The rest may be a token.
                    show(line.substring(0, MAX_OF_A_LINE));
                    line.delete(0, MAX_OF_A_LINE);
                }
            }
        }
        if (!line.isEmpty()) {
            show(line.toString());
        }
        sayWhatIsLeftOut();
    }

    private void lineEnds() {
        String whole = line.toString();
        line.setLength(0);
        if (!whole.endsWith(token)) {
            show(whole);
            return;
        }
        if (whole.length() > token.length()) {
            show(whole.substring(0, whole.length() - token.length()));
        }
        sayWhatIsLeftOut();
        chars = 0;
        answered.run();
    }

    private void show(String text) {
        chars += text.length();
        if (chars <= MAX_OF_A_MODEL) {
            console.accept(text);
        } else {
            leftOut += text.length();
        }
    }

    private void sayWhatIsLeftOut() {
        if (leftOut > 0) {
            console.accept("rankunit: " + leftOut + " further characters that the golden model printed are left out");
            leftOut = 0;
        }
    }
}
