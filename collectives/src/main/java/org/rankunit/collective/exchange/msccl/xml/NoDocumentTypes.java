package org.rankunit.collective.exchange.msccl.xml;

import java.io.FilterReader;
import java.io.IOException;
import java.io.Reader;

/**
 * Refuses a text with a document type before the parser sees it: the parser of the JDK throws unchecked exceptions for some document
 * types that it is told to skip, and prints others. In a comment, it is refused as well.
 */
final class NoDocumentTypes extends FilterReader {

    private static final String BEGIN = "<!DOCTYPE";

    private final String source;
    private int matched;
    private int line = 1;

    NoDocumentTypes(String source, Reader in) {
        super(in);
        this.source = source;
    }

    @Override
    public int read() throws IOException {
        int next = super.read();
        if (next >= 0) {
            look((char) next);
        }
        return next;
    }

    @Override
    public int read(char[] chars, int offset, int length) throws IOException {
        int count = super.read(chars, offset, length);
        for (int i = 0; i < count; i++) {
            look(chars[offset + i]);
        }
        return count;
    }

    private void look(char next) {
        line += next == '\n' ? 1 : 0;
        if (next == BEGIN.charAt(matched)) {
            matched++;
        } else {
            matched = next == BEGIN.charAt(0) ? 1 : 0;
        }
        if (matched == BEGIN.length()) {
            throw new MscclFormatException(source, line, "document types and entities are not read; remove them");
        }
    }
}
