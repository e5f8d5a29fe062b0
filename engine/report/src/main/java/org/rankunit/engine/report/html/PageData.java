package org.rankunit.engine.report.html;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.SerializableString;
import com.fasterxml.jackson.core.io.CharacterEscapes;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import java.io.IOException;
import java.io.StringWriter;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.rankunit.engine.report.RunReport;

/**
 * A report as compact JSON for the script of the page.
 *
 * <p>A record is a list of the values of its components, without empty ones at its end; {@code shapes} has the names and kinds of the
 * components of each record. A text is its number in {@code texts}, which has each text once. So a further component of a record
 * reaches the page without a change here.
 *
 * <p>Pictures are beside the report, as lists of algorithm, call and SVG; so are plots, by test.
 *
 * <p>The JSON is ASCII, and has no character that means something to an HTML parser within a script element.
 */
final class PageData {

    /** Plots of bandwidths, those of the first tests that have one. */
    private static final int MAX_PLOTS = 50;

    private static final JsonFactory JSON = new JsonFactoryBuilder()
            .characterEscapes(new HtmlEscapes())
            .enable(JsonWriteFeature.ESCAPE_NON_ASCII)
            .build();

    private final Map<String, List<List<String>>> shapes = new LinkedHashMap<>();
    private final Map<Class<?>, List<Part>> parts = new LinkedHashMap<>();
    private final PageTexts texts = new PageTexts();
    private final StringBuilder digits = new StringBuilder();
    private final JsonGenerator out;

    /** One component of a record. */
    private record Part(Method accessor, Type type) {}

    private PageData(JsonGenerator out) {
        this.out = out;
    }

    /** @param leftOut what was left out of the report, for readers of the page; empty for nothing */
    static String of(RunReport report, String leftOut) throws IOException {
        StringWriter body = new StringWriter();
        PageData data;
        try (JsonGenerator generator = JSON.createGenerator(body)) {
            data = new PageData(generator);
            data.write(withoutPictures(report), RunReport.class);
        }
        StringWriter all = new StringWriter();
        try (JsonGenerator generator = JSON.createGenerator(all)) {
            generator.writeStartObject();
            generator.writeStringField("leftOut", leftOut);
            generator.writeFieldName("shapes");
            writeShapes(generator, data.shapes);
            generator.writeArrayFieldStart("texts");
            for (String text : data.texts.all()) {
                generator.writeString(text);
            }
            generator.writeEndArray();
            generator.writeArrayFieldStart("pictures");
            for (RunReport.Picture picture : report.pictures()) {
                writePicture(generator, picture);
            }
            generator.writeEndArray();
            generator.writeObjectFieldStart("plots");
            writePlots(generator, report.tests());
            generator.writeEndObject();
            generator.writeFieldName("report");
            generator.writeRawValue(body.toString());
            generator.writeEndObject();
        }
        return all.toString();
    }

    /** Pictures are not among the texts, since half a picture is none. */
    private static void writePicture(JsonGenerator out, RunReport.Picture picture) throws IOException {
        out.writeStartArray();
        out.writeString(picture.algorithm());
        out.writeString(picture.call());
        out.writeString(picture.svg());
        out.writeEndArray();
    }

    /** By the place of the test in the report, from 0. */
    private static void writePlots(JsonGenerator out, List<RunReport.TestEntry> tests) throws IOException {
        int written = 0;
        for (int i = 0; i < tests.size() && written < MAX_PLOTS; i++) {
            Optional<String> plot = BandwidthPlot.of(tests.get(i));
            if (plot.isPresent()) {
                out.writeStringField(String.valueOf(i), plot.get());
                written++;
            }
        }
    }

    private static RunReport withoutPictures(RunReport report) {
        return new RunReport(
                report.schemaVersion(),
                report.version(),
                report.run(),
                report.platform(),
                report.java(),
                report.written(),
                report.executions(),
                report.tests(),
                List.of());
    }

    private static void writeShapes(JsonGenerator out, Map<String, List<List<String>>> shapes) throws IOException {
        out.writeStartObject();
        for (Map.Entry<String, List<List<String>>> shape : shapes.entrySet()) {
            out.writeArrayFieldStart(shape.getKey());
            for (List<String> part : shape.getValue()) {
                out.writeStartArray();
                for (String each : part) {
                    out.writeString(each);
                }
                out.writeEndArray();
            }
            out.writeEndArray();
        }
        out.writeEndObject();
    }

    private void write(@Nullable Object value, Type type) throws IOException {
        if (value == null) {
            out.writeNull();
        } else if (value instanceof String || value instanceof Enum<?>) {
            out.writeNumber(texts.numberOf(value.toString()));
        } else if (value instanceof Double number) {
            writeDouble(number);
        } else if (value instanceof Number number) {
            out.writeNumber(number.longValue());
        } else if (value instanceof Boolean truth) {
            out.writeBoolean(truth);
        } else if (value instanceof List<?> list) {
            Type element = ((ParameterizedType) type).getActualTypeArguments()[0];
            out.writeStartArray();
            for (Object each : list) {
                write(each, element);
            }
            out.writeEndArray();
        } else if (value instanceof Record record) {
            writeRecord(record);
        } else {
            throw new IllegalStateException("the page cannot show a " + value.getClass());
        }
    }

    private void writeRecord(Record record) throws IOException {
        List<Part> all = partsOf(record.getClass());
        @Nullable Object[] values = new Object[all.size()];
        int used = 0;
        for (int i = 0; i < values.length; i++) {
            values[i] = valueOf(record, all.get(i).accessor());
            if (values[i] != null && !(values[i] instanceof List<?> list && list.isEmpty())) {
                used = i + 1;
            }
        }
        out.writeStartArray();
        for (int i = 0; i < used; i++) {
            write(values[i], all.get(i).type());
        }
        out.writeEndArray();
    }

    private List<Part> partsOf(Class<?> type) {
        List<Part> known = parts.get(type);
        if (known != null) {
            return known;
        }
        List<Part> all = new ArrayList<>();
        List<List<String>> shape = new ArrayList<>();
        for (RecordComponent component : type.getRecordComponents()) {
            component.getAccessor().setAccessible(true);
            all.add(new Part(component.getAccessor(), component.getGenericType()));
            shape.add(List.of(component.getName(), kindOf(component.getGenericType())));
        }
        parts.put(type, all);
        shapes.put(type.getSimpleName(), shape);
        return all;
    }

    /** How the script reads a value: s(tring), n(umber), b(oolean), [ and the kind of the elements, or the name of a record. */
    private static String kindOf(Type type) {
        if (type instanceof ParameterizedType list && list.getRawType() == List.class) {
            return "[" + kindOf(list.getActualTypeArguments()[0]);
        }
        Class<?> raw = (Class<?>) type;
        if (raw == String.class || raw.isEnum()) {
            return "s";
        } else if (raw == boolean.class || raw == Boolean.class) {
            return "b";
        } else if (raw.isRecord()) {
            return raw.getSimpleName();
        } else if (raw.isPrimitive() || Number.class.isAssignableFrom(raw)) {
            return "n";
        }
        throw new IllegalStateException("the page cannot show a " + raw);
    }

    /** Thousandths are exact, as moments are; everything else has the digits of a float. */
    private void writeDouble(double number) throws IOException {
        double thousandths = number * 1000;
        long whole = Math.round(thousandths);
        if (Double.isNaN(number) || Double.isInfinite(number)) {
            out.writeString(String.valueOf(number));
        } else if (whole / 1000.0 == number && Math.abs(whole) < 1L << 53) {
            writeThousandths(whole);
        } else if (Math.abs(number) > Float.MAX_VALUE || Math.abs(number) < Float.MIN_NORMAL) {
            out.writeNumber(number);
        } else {
            out.writeNumber((float) number);
        }
    }

    /** By hand, since a large report has a million of them. */
    private void writeThousandths(long thousandths) throws IOException {
        long size = Math.abs(thousandths);
        int rest = (int) (size % 1000);
        if (rest == 0) {
            out.writeNumber(thousandths / 1000);
            return;
        }
        digits.setLength(0);
        digits.append(thousandths < 0 ? "-" : "").append(size / 1000).append('.');
        for (int unit = 100; rest > 0; unit /= 10) {
            digits.append((char) ('0' + rest / unit));
            rest %= unit;
        }
        out.writeNumber(digits.toString());
    }

    private static @Nullable Object valueOf(Record record, Method accessor) {
        try {
            return accessor.invoke(record);
        } catch (IllegalAccessException | InvocationTargetException e) {
            throw new IllegalStateException("cannot read " + accessor, e);
        }
    }

    /** Escapes what begins a tag, a comment or a character reference; the separators of lines are not ASCII. */
    private static final class HtmlEscapes extends CharacterEscapes {

        private static final long serialVersionUID = 1L;

        private final int[] escapes = standardAsciiEscapesForJSON();

        HtmlEscapes() {
            for (char each : new char[] {'<', '>', '&', '\''}) {
                escapes[each] = ESCAPE_STANDARD;
            }
        }

        @Override
        public int[] getEscapeCodesForAscii() {
            return escapes.clone();
        }

        @Override
        public @Nullable SerializableString getEscapeSequence(int character) {
            return null;
        }
    }
}
