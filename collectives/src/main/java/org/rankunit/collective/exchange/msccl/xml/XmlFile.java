package org.rankunit.collective.exchange.msccl.xml;

import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/**
 * Walks the elements of a file: {@code algo}, {@code gpu}, {@code tb} and {@code step}, one inside the other. Document types and entities are
 * refused, so that a file can name no other file.
 */
final class XmlFile {

    private static final long LARGEST = 64L << 20;
    private static final int HEAD_BYTES = 256;
    private static final String UTF_8_MARK = "\u00ef\u00bb\u00bf";
    private static final Pattern ENCODING =
            Pattern.compile("^(?:" + UTF_8_MARK + ")?<\\?xml\\s[^>]*?encoding\\s*=\\s*[\"']([^\"'>]*)[\"']");
    private static final List<String> LEVELS = List.of("algo", "gpu", "tb", "step");

    /** Takes elements in the order in which they begin. */
    interface Visitor {

        /**
         * Take the next element.
         *
         * @param level 0 for {@code algo} to 3 for {@code step}
         */
        void begins(int level, Element element);
    }

    private XmlFile() {}

    static void read(Path file, Visitor visitor) throws IOException {
        String source = file.toString();
        long size = Files.size(file);
        if (size > LARGEST) {
            throw new MscclFormatException(
                    source, 0, "the file has " + size + " bytes; RankUnit takes up to " + LARGEST);
        }
        XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        factory.setProperty(XMLInputFactory.IS_REPLACING_ENTITY_REFERENCES, false);
        try (InputStream in = new BufferedInputStream(Files.newInputStream(file))) {
            XMLStreamReader reader = factory.createXMLStreamReader(decoded(source, in));
            try {
                walk(source, reader, visitor);
            } finally {
                reader.close();
            }
        } catch (XMLStreamException e) {
            int line = e.getLocation() == null ? 0 : e.getLocation().getLineNumber();
            Throwable nested = e.getNestedException();
            if (nested instanceof CharacterCodingException) {
                throw new MscclFormatException(
                        source,
                        line,
                        "the text is not in the encoding that the file names, or UTF-8 if it names none; save it in UTF-8");
            }
            if (nested instanceof IOException unreadable) {
                throw unreadable;
            }
            throw new MscclFormatException(source, line, "the XML is not well formed: " + reason(e));
        }
    }

    /** Decoded here, since the parser prints on its own that bytes are not in the encoding that the file names. */
    private static Reader decoded(String source, InputStream in) throws IOException {
        in.mark(HEAD_BYTES);
        String head = new String(in.readNBytes(HEAD_BYTES), StandardCharsets.ISO_8859_1);
        in.reset();
        if (head.startsWith(UTF_8_MARK)) {
            in.skipNBytes(UTF_8_MARK.length());
        }
        boolean wide = head.startsWith("\u00fe\u00ff") || head.startsWith("\u00ff\u00fe");
        Charset charset = wide ? StandardCharsets.UTF_16 : StandardCharsets.UTF_8;
        Matcher named = ENCODING.matcher(head);
        if (named.find()) {
            try {
                charset = Charset.forName(named.group(1));
            } catch (IllegalArgumentException e) {
                throw new MscclFormatException(
                        source, 1, "there is no encoding \"" + named.group(1) + "\"; save the file in UTF-8");
            }
        }
        return new NoDocumentTypes(source, new BufferedReader(new InputStreamReader(in, charset.newDecoder())));
    }

    /** The parser's own sentence; it comes after the place. */
    private static String reason(XMLStreamException e) {
        String message = e.getMessage() == null ? "no reason given" : e.getMessage();
        int begin = message.indexOf("Message: ");
        return begin < 0 ? message : message.substring(begin + "Message: ".length());
    }

    private static void walk(String source, XMLStreamReader reader, Visitor visitor) throws XMLStreamException {
        int depth = 0;
        while (reader.hasNext()) {
            switch (reader.next()) {
                case XMLStreamConstants.START_ELEMENT -> {
                    Element element = new Element(source, reader);
                    if (depth == LEVELS.size() || !element.name().equals(LEVELS.get(depth))) {
                        throw element.error(expected(depth));
                    }
                    visitor.begins(depth++, element);
                }
                case XMLStreamConstants.END_ELEMENT -> depth--;
                case XMLStreamConstants.ENTITY_REFERENCE ->
                    throw new MscclFormatException(
                            source, reader.getLocation().getLineNumber(), "entities are not read; remove them");
                default -> {}
            }
        }
    }

    private static String expected(int depth) {
        if (depth == LEVELS.size()) {
            return "nothing is expected inside <step>";
        }
        String where = depth == 0 ? "at the top" : "inside <" + LEVELS.get(depth - 1) + ">";
        return "expected <" + LEVELS.get(depth) + "> " + where;
    }
}
