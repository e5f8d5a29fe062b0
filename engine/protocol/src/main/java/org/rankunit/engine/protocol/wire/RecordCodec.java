package org.rankunit.engine.protocol.wire;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Writes records as JSON and reads them back.
 *
 * <p>Supports records with components of type {@code int}, {@code long}, {@code double}, {@code boolean}, string, list, map with
 * string keys, enum, record, and sealed interface of records. Enums are written as the names of their constants. Records of a
 * sealed interface have the simple name of the record in a first field {@code type}. A message cannot create anything else: the
 * types come from the receiver's own records, never from the sender.
 *
 * <p>Uses Jackson's streaming core. Its data binding could replace this whole class, but it would add about 100 ms to the start-up
 * of every rank JVM, a third of the time that a cold group may take.
 */
public final class RecordCodec {

    private static final String TYPE = "type";
    private static final int MAX_DEPTH = 200;
    private static final Set<String> SPECIAL_NUMBERS = Set.of("NaN", "Infinity", "-Infinity");

    private final JsonFactory json = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(MAX_DEPTH)
                    .maxStringLength(Limits.MESSAGE_BYTES)
                    .build())
            .build();
    private final Map<Class<?>, Shape> shapes = new ConcurrentHashMap<>();
    private final Map<Class<?>, List<String>> derived;
    private final Map<Class<?>, List<String>> optional;

    /** The components of one record class, looked up once. */
    private record Shape(List<RecordComponent> parts, Constructor<?> constructor) {

        static Shape of(Class<?> type) {
            RecordComponent[] parts = type.getRecordComponents();
            for (RecordComponent part : parts) {
                part.getAccessor().setAccessible(true);
            }
            try {
                Constructor<?> constructor = type.getDeclaredConstructor(
                        Arrays.stream(parts).map(RecordComponent::getType).toArray(Class<?>[]::new));
                constructor.setAccessible(true);
                return new Shape(List.of(parts), constructor);
            } catch (NoSuchMethodException e) {
                throw new IllegalStateException(type + " has no canonical constructor", e);
            }
        }
    }

    public RecordCodec() {
        this(Map.of(), Map.of());
    }

    /**
     * Write additional values for some records, besides their components, and leave others out.
     *
     * @param derived methods without parameters, by record class; their values are written after the components, and are ignored on
     *     reading
     * @param optional components, by record class, that a text may lack: they are then {@code null} or an empty list, and such
     *     values are not written
     */
    public RecordCodec(Map<Class<?>, List<String>> derived, Map<Class<?>, List<String>> optional) {
        this.derived = Map.copyOf(derived);
        this.optional = Map.copyOf(optional);
    }

    /** Write {@code value} as an instance of {@code declared}. */
    public byte[] encode(Record value, Class<?> declared) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(256);
        try (JsonGenerator out = json.createGenerator(bytes)) {
            write(out, value, declared);
        }
        return bytes.toByteArray();
    }

    /** Write {@code value} for a person to read. */
    public String encodePretty(Record value) throws IOException {
        return encodePretty(value, MAX_DEPTH);
    }

    /** As {@link #encodePretty(Record)}; records below so many others stand in one line, which keeps a large file smaller. */
    public String encodePretty(Record value, int levels) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JsonGenerator out = json.createGenerator(bytes).setPrettyPrinter(new Lines(levels))) {
            write(out, value, value.getClass());
        }
        return bytes.toString(java.nio.charset.StandardCharsets.UTF_8);
    }

    /** Begins a new line for each value of a record that is not below too many others. */
    private static final class Lines extends DefaultPrettyPrinter {

        private static final long serialVersionUID = 1L;

        private final int levels;

        Lines(int levels) {
            this.levels = levels;
            indentObjectsWith(new DefaultIndenter() {

                private static final long serialVersionUID = 1L;

                @Override
                public void writeIndentation(JsonGenerator out, int level) throws IOException {
                    if (level < levels) {
                        super.writeIndentation(out, level);
                    } else {
                        out.writeRaw(' ');
                    }
                }
            });
        }

        @Override
        public DefaultPrettyPrinter createInstance() {
            return new Lines(levels);
        }

        @Override
        public void writeEndObject(JsonGenerator out, int values) throws IOException {
            if (_nesting < levels) {
                super.writeEndObject(out, values);
            } else {
                _nesting--;
                out.writeRaw(" }");
            }
        }
    }

    /**
     * Read a record.
     *
     * @throws IOException if the bytes are not JSON or do not describe a {@code declared}
     */
    public <T> T decode(byte[] bytes, Class<T> declared) throws IOException {
        try (JsonParser in = json.createParser(bytes)) {
            in.nextToken();
            Object value = read(in, declared);
            if (value == null || in.nextToken() != null) {
                throw new IOException("not exactly one " + declared.getSimpleName());
            }
            return declared.cast(value);
        }
    }

    private Shape shape(Class<?> type) {
        Shape shape = shapes.get(type);
        return shape != null ? shape : shapes.computeIfAbsent(type, Shape::of);
    }

    private void write(JsonGenerator out, @Nullable Object value, Class<?> declared) throws IOException {
        if (value == null) {
            out.writeNull();
        } else if (value instanceof String text) {
            out.writeString(text);
        } else if (value instanceof Integer number) {
            out.writeNumber(number);
        } else if (value instanceof Long number) {
            out.writeNumber(number);
        } else if (value instanceof Double number) {
            out.writeNumber(number);
        } else if (value instanceof Boolean truth) {
            out.writeBoolean(truth);
        } else if (value instanceof Enum<?> constant) {
            out.writeString(constant.name());
        } else if (value instanceof List<?> list) {
            out.writeStartArray();
            for (Object element : list) {
                if (element == null) {
                    throw new IOException("cannot write a list that contains null");
                }
                write(out, element, element.getClass());
            }
            out.writeEndArray();
        } else if (value instanceof Map<?, ?> map) {
            out.writeStartObject();
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                out.writeFieldName((String) entry.getKey());
                write(out, entry.getValue(), entry.getValue().getClass());
            }
            out.writeEndObject();
        } else if (value instanceof Record record) {
            writeRecord(out, record, declared);
        } else {
            throw new IOException("cannot write a " + value.getClass().getName());
        }
    }

    private void writeRecord(JsonGenerator out, Record record, Class<?> declared) throws IOException {
        out.writeStartObject();
        if (declared.isInterface()) {
            out.writeStringField(TYPE, record.getClass().getSimpleName());
        }
        for (RecordComponent part : shape(record.getClass()).parts()) {
            Object value = valueOf(record, part.getAccessor());
            if (!isEmpty(value) || !isOptional(part)) {
                out.writeFieldName(part.getName());
                write(out, value, part.getType());
            }
        }
        for (String name : derived.getOrDefault(record.getClass(), List.of())) {
            out.writeFieldName(name);
            Method method = derivedMethod(record.getClass(), name);
            write(out, valueOf(record, method), method.getReturnType());
        }
        out.writeEndObject();
    }

    private boolean isOptional(RecordComponent part) {
        return optional.getOrDefault(part.getDeclaringRecord(), List.of()).contains(part.getName());
    }

    private static boolean isEmpty(@Nullable Object value) {
        return value == null || (value instanceof List<?> list && list.isEmpty());
    }

    private static Method derivedMethod(Class<?> type, String name) {
        try {
            return type.getMethod(name);
        } catch (NoSuchMethodException e) {
            throw new IllegalStateException(type + " has no method " + name, e);
        }
    }

    private static @Nullable Object valueOf(Record record, Method accessor) throws IOException {
        try {
            return accessor.invoke(record);
        } catch (IllegalAccessException | InvocationTargetException e) {
            throw new IOException("cannot read " + accessor, e);
        }
    }

    private @Nullable Object read(JsonParser in, Type declared) throws IOException {
        JsonToken token = in.currentToken();
        if (token == JsonToken.VALUE_NULL) {
            return null;
        }
        if (declared instanceof ParameterizedType generic) {
            Type[] arguments = generic.getActualTypeArguments();
            return generic.getRawType() == List.class ? readList(in, arguments[0]) : readMap(in, arguments[1]);
        }
        Class<?> type = (Class<?>) declared;
        if (type == String.class) {
            require(token == JsonToken.VALUE_STRING, in, type);
            return in.getText();
        } else if (type == int.class || type == Integer.class) {
            require(token == JsonToken.VALUE_NUMBER_INT, in, type);
            return in.getIntValue();
        } else if (type == long.class || type == Long.class) {
            require(token == JsonToken.VALUE_NUMBER_INT, in, type);
            return in.getLongValue();
        } else if (type == double.class || type == Double.class) {
            // NaN and the infinities are encoded as strings, since JSON has no numbers for them.
            return token == JsonToken.VALUE_STRING ? readSpecialNumber(in) : (Object) in.getDoubleValue();
        } else if (type == boolean.class || type == Boolean.class) {
            require(token == JsonToken.VALUE_TRUE || token == JsonToken.VALUE_FALSE, in, type);
            return token == JsonToken.VALUE_TRUE;
        } else if (type.isEnum()) {
            require(token == JsonToken.VALUE_STRING, in, type);
            return readConstant(in, type);
        }
        return readRecord(in, type);
    }

    private static Object readConstant(JsonParser in, Class<?> type) throws IOException {
        String name = in.getText();
        for (Object constant : type.getEnumConstants()) {
            if (((Enum<?>) constant).name().equals(name)) {
                return constant;
            }
        }
        throw new IOException("'" + name + "' is no " + type.getSimpleName());
    }

    private static Double readSpecialNumber(JsonParser in) throws IOException {
        String text = in.getText();
        require(SPECIAL_NUMBERS.contains(text), in, double.class);
        return Double.valueOf(text);
    }

    private List<Object> readList(JsonParser in, Type element) throws IOException {
        require(in.currentToken() == JsonToken.START_ARRAY, in, List.class);
        List<Object> list = new ArrayList<>();
        while (in.nextToken() != JsonToken.END_ARRAY) {
            Object value = read(in, element);
            require(value != null, in, List.class);
            list.add(value);
        }
        return list;
    }

    private Map<String, Object> readMap(JsonParser in, Type element) throws IOException {
        require(in.currentToken() == JsonToken.START_OBJECT, in, Map.class);
        Map<String, Object> map = new LinkedHashMap<>();
        while (in.nextToken() == JsonToken.FIELD_NAME) {
            String key = in.currentName();
            in.nextToken();
            Object value = read(in, element);
            require(value != null, in, Map.class);
            map.put(key, value);
        }
        return map;
    }

    private Object readRecord(JsonParser in, Class<?> declared) throws IOException {
        require(in.currentToken() == JsonToken.START_OBJECT, in, declared);
        Class<?> type = declared.isInterface() ? readType(in, declared) : declared;
        Shape shape = shape(type);
        @Nullable Object[] values = new Object[shape.parts().size()];
        boolean[] seen = new boolean[values.length];
        while (in.nextToken() == JsonToken.FIELD_NAME) {
            String name = in.currentName();
            in.nextToken();
            if (derived.getOrDefault(type, List.of()).contains(name)) {
                in.skipChildren();
                continue;
            }
            int index = indexOf(shape, name, type);
            values[index] = read(in, shape.parts().get(index).getGenericType());
            seen[index] = true;
        }
        for (int i = 0; i < seen.length; i++) {
            RecordComponent part = shape.parts().get(i);
            if (!seen[i] && !isOptional(part)) {
                throw new IOException(type.getSimpleName() + " lacks '" + part.getName() + "'");
            } else if (!seen[i] && part.getType() == List.class) {
                values[i] = List.of();
            }
        }
        try {
            return shape.constructor().newInstance(values);
        } catch (ReflectiveOperationException | IllegalArgumentException e) {
            throw new IOException("not a " + type.getSimpleName() + ": " + e, e);
        }
    }

    private static Class<?> readType(JsonParser in, Class<?> declared) throws IOException {
        require(in.nextToken() == JsonToken.FIELD_NAME && TYPE.equals(in.currentName()), in, declared);
        in.nextToken();
        String name = in.getText();
        for (Class<?> candidate : declared.getPermittedSubclasses()) {
            if (candidate.getSimpleName().equals(name)) {
                return candidate;
            }
        }
        throw new IOException("'" + name + "' is no " + declared.getSimpleName());
    }

    private static int indexOf(Shape shape, String name, Class<?> type) throws IOException {
        List<RecordComponent> parts = shape.parts();
        for (int i = 0; i < parts.size(); i++) {
            if (parts.get(i).getName().equals(name)) {
                return i;
            }
        }
        throw new IOException(type.getSimpleName() + " has no '" + name + "'");
    }

    private static void require(boolean condition, JsonParser in, Class<?> expected) throws IOException {
        if (!condition) {
            throw new IOException("expected a " + expected.getSimpleName() + " at "
                    + in.currentLocation().offsetDescription() + ", found " + in.currentToken());
        }
    }
}
