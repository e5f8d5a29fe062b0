package org.rankunit.engine.protocol.wire;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Random records, filled by their own declaration. */
final class Messages {

    private static final String[] TEXTS = {
        "", "a", "rank 1", "äöü €", "日本語", "\u0000\u0001\n\t\"\\/", "😀 and 🚀", "x".repeat(9000), "\u2028\u2029"
    };
    private static final double[] DOUBLES = {
        0.0,
        -0.0,
        1.5,
        Double.MIN_VALUE,
        Double.MAX_VALUE,
        Double.NaN,
        Double.POSITIVE_INFINITY,
        Double.NEGATIVE_INFINITY
    };
    private static final int MAX_DEPTH = 5;

    private final Random random;

    Messages(long seed) {
        this.random = new Random(seed);
    }

    /** Make one of any record that {@code declared} permits. */
    Record next(Class<?> declared) {
        return record(declared, 0);
    }

    private Record record(Class<?> declared, int depth) {
        Class<?> type = declared;
        if (declared.isInterface()) {
            Class<?>[] permitted = declared.getPermittedSubclasses();
            type = permitted[random.nextInt(permitted.length)];
        }
        RecordComponent[] parts = type.getRecordComponents();
        Class<?>[] types = new Class<?>[parts.length];
        @Nullable Object[] values = new Object[parts.length];
        for (int i = 0; i < parts.length; i++) {
            types[i] = parts[i].getType();
            boolean nullable = parts[i].getAnnotatedType().isAnnotationPresent(Nullable.class);
            boolean absent = nullable && (depth >= MAX_DEPTH || random.nextInt(3) == 0);
            values[i] = absent ? null : value(parts[i].getGenericType(), depth + 1);
        }
        try {
            var constructor = type.getDeclaredConstructor(types);
            constructor.setAccessible(true);
            return (Record) constructor.newInstance(values);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private Object value(Type declared, int depth) {
        if (declared instanceof ParameterizedType generic) {
            Type[] arguments = generic.getActualTypeArguments();
            return generic.getRawType() == List.class ? list(arguments[0], depth) : map(arguments[1], depth);
        } else if (declared == String.class) {
            return TEXTS[random.nextInt(TEXTS.length)];
        } else if (declared == int.class || declared == Integer.class) {
            return random.nextInt();
        } else if (declared == long.class || declared == Long.class) {
            return random.nextLong();
        } else if (declared == double.class || declared == Double.class) {
            return random.nextBoolean() ? random.nextGaussian() : DOUBLES[random.nextInt(DOUBLES.length)];
        } else if (declared == boolean.class) {
            return random.nextBoolean();
        } else if (declared instanceof Class<?> type && type.isEnum()) {
            return type.getEnumConstants()[random.nextInt(type.getEnumConstants().length)];
        }
        return record((Class<?>) declared, depth);
    }

    private List<Object> list(Type element, int depth) {
        List<Object> list = new ArrayList<>();
        for (int i = depth > MAX_DEPTH ? 0 : random.nextInt(4); i > 0; i--) {
            list.add(value(element, depth + 1));
        }
        return list;
    }

    private Map<String, Object> map(Type element, int depth) {
        Map<String, Object> map = new LinkedHashMap<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            map.put(TEXTS[random.nextInt(TEXTS.length)], value(element, depth + 1));
        }
        return map;
    }
}
