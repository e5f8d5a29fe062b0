package org.rankunit.collective.exchange.chakra;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An attribute of a node. The schema has ten kinds of integers, and encoders use what they like. */
final class TraceAttribute {

    private static final int NAME = 1;
    private static final int DOC = 2;
    private static final int INT32 = 7;
    private static final int INT64 = 9;
    private static final int UINT32 = 11;
    private static final int UINT64 = 13;
    private static final int SINT32 = 15;
    private static final int SINT64 = 17;
    private static final int FIXED32 = 19;
    private static final int FIXED64 = 21;
    private static final int SFIXED32 = 23;
    private static final int SFIXED64 = 25;
    private static final int BOOL = 27;

    private TraceAttribute() {}

    static void take(WireFields fields, Map<String, @Nullable Long> numbers) {
        String name = "";
        Long value = null;
        while (fields.next()) {
            switch (fields.field()) {
                case NAME -> name = fields.text("name of an attribute");
                case DOC -> fields.skip();
                default -> value = value(fields);
            }
        }
        numbers.put(name, value);
    }

    private static @Nullable Long value(WireFields fields) {
        return switch (fields.field()) {
            case INT32 -> (long) (int) fields.number("int32_val");
            case INT64 -> fields.number("int64_val");
            case UINT32 -> Integer.toUnsignedLong((int) fields.number("uint32_val"));
            case UINT64 -> unsigned(fields.number("uint64_val"));
            case SINT32 -> (long) (int) zigzag(fields.number("sint32_val"));
            case SINT64 -> zigzag(fields.number("sint64_val"));
            case FIXED32 -> Integer.toUnsignedLong((int) fields.fixed("fixed32_val", Integer.BYTES));
            case FIXED64 -> unsigned(fields.fixed("fixed64_val", Long.BYTES));
            case SFIXED32 -> fields.fixed("sfixed32_val", Integer.BYTES);
            case SFIXED64 -> fields.fixed("sfixed64_val", Long.BYTES);
            case BOOL -> fields.number("bool_val") == 0 ? 0L : 1L;
            default -> {
                fields.skip();
                yield null;
            }
        };
    }

    private static @Nullable Long unsigned(long value) {
        return value < 0 ? null : value;
    }

    private static long zigzag(long value) {
        return (value >>> 1) ^ -(value & 1);
    }
}
