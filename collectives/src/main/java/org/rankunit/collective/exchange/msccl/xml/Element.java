package org.rankunit.collective.exchange.msccl.xml;

import java.util.HashMap;
import java.util.Map;
import javax.xml.stream.XMLStreamReader;
import org.jspecify.annotations.Nullable;

/** An element of a file: its attributes, and where it is. */
final class Element {

    private static final int LONGEST_VALUE = 40;

    private final String source;
    private final String name;
    private final int line;
    private final Map<String, String> attributes = new HashMap<>();

    Element(String source, XMLStreamReader reader) {
        this.source = source;
        this.name = reader.getLocalName();
        this.line = reader.getLocation().getLineNumber();
        for (int i = 0; i < reader.getAttributeCount(); i++) {
            attributes.put(reader.getAttributeLocalName(i), reader.getAttributeValue(i));
        }
    }

    int line() {
        return line;
    }

    String name() {
        return name;
    }

    MscclFormatException error(String what) {
        return new MscclFormatException(source, line, "<" + name + ">: " + what);
    }

    boolean has(String attribute) {
        return attributes.containsKey(attribute);
    }

    String text(String attribute) {
        String value = attributes.get(attribute);
        if (value == null) {
            throw error("there is no attribute " + attribute + "; add it");
        }
        return value;
    }

    /** What is there, for people. */
    String shown(String attribute) {
        String value = text(attribute);
        return attribute + "=\"" + (value.length() > LONGEST_VALUE ? value.substring(0, LONGEST_VALUE) + "..." : value)
                + "\"";
    }

    int number(String attribute, int least, int most) {
        Integer value = parsed(text(attribute).strip());
        if (value == null || value < least || value > most) {
            throw error(shown(attribute) + "; expected a number from " + least + " to " + most);
        }
        return value;
    }

    int number(String attribute, int least, int most, int otherwise) {
        return has(attribute) ? number(attribute, least, most) : otherwise;
    }

    private static @Nullable Integer parsed(String text) {
        try {
            return Integer.valueOf(text);
        } catch (NumberFormatException e) {
            return null;
        }
    }
}
