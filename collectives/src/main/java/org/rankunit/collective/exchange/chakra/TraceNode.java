package org.rankunit.collective.exchange.chakra;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One node of a trace, as far as it matters here. */
final class TraceNode {

    static final int METADATA = 1;
    static final int COMP = 4;
    static final int SEND = 5;
    static final int RECV = 6;

    private static final List<String> TYPES = List.of(
            "INVALID_NODE",
            "METADATA_NODE",
            "MEM_LOAD_NODE",
            "MEM_STORE_NODE",
            "COMP_NODE",
            "COMM_SEND_NODE",
            "COMM_RECV_NODE",
            "COMM_COLL_NODE",
            "STORAGE_NODE",
            "BATCH_NODE",
            "CHECKPOINT_NODE");

    private static final int ID = 1;
    private static final int NAME = 2;
    private static final int TYPE = 3;
    private static final int CONTROL_DEPS = 4;
    private static final int DATA_DEPS = 5;
    private static final int DURATION_MICROS = 7;
    private static final int ATTRIBUTE = 10;

    private final long offset;
    private long id;
    private String name = "";
    private int type;
    private long micros;
    private final List<Long> required = new ArrayList<>();
    /** Values of integers by their names; null if the value is something else. */
    private final Map<String, @Nullable Long> numbers = new HashMap<>();

    private TraceNode(long offset) {
        this.offset = offset;
    }

    static TraceNode of(WireFields fields, long offset) {
        TraceNode node = new TraceNode(offset);
        while (fields.next()) {
            node.take(fields);
        }
        return node;
    }

    private void take(WireFields fields) {
        switch (fields.field()) {
            case ID -> id = fields.number("id of a node");
            case NAME -> name = fields.text("name of a node");
            case TYPE -> type = (int) fields.number("type of a node");
            case CONTROL_DEPS -> takeAll(fields, "ctrl_deps");
            case DATA_DEPS -> takeAll(fields, "data_deps");
            case DURATION_MICROS -> micros = fields.number("duration_micros");
            case ATTRIBUTE -> TraceAttribute.take(fields.message("attr"), numbers);
            default -> fields.skip();
        }
    }

    /** A repeated field of numbers is packed or not, as the encoder likes. */
    private void takeAll(WireFields fields, String field) {
        if (fields.wireType() == WireFields.VARINT) {
            required.add(fields.number(field));
            return;
        }
        WireFields packed = fields.message(field);
        while (!packed.isAtEnd()) {
            required.add(packed.packed());
        }
    }

    /** Where its message begins in the file. */
    long offset() {
        return offset;
    }

    /** An unsigned number. */
    long id() {
        return id;
    }

    int type() {
        return type;
    }

    String typeName() {
        return type >= 0 && type < TYPES.size() ? TYPES.get(type) : "type " + type;
    }

    /** An unsigned number. */
    long micros() {
        return micros;
    }

    /** The ids of the nodes that must have ended before. */
    List<Long> required() {
        return required;
    }

    boolean has(String attribute) {
        return numbers.containsKey(attribute);
    }

    /** The value of an attribute that is an integer; null if it is something else, or does not fit into 64 bits. */
    @Nullable Long number(String attribute) {
        return numbers.get(attribute);
    }

    /** Returns {@code "node 7 (COMM_SEND_NODE "send 64b to 1 tag 0")"}. */
    @Override
    public String toString() {
        return "node " + Long.toUnsignedString(id) + " (" + typeName() + (name.isEmpty() ? "" : " \"" + name + "\"")
                + ")";
    }
}
