package org.rankunit.collective.exchange.msccl.program;

import static org.apiguardian.api.API.Status.INTERNAL;

import java.util.Arrays;
import java.util.Optional;
import org.apiguardian.api.API;

/** What a step of a threadblock does, by its name in files. */
@API(status = INTERNAL, since = "0.1")
public enum StepType {
    SEND("s", false, true, true, false),
    RECEIVE("r", true, false, false, true),
    RECEIVE_COPY_SEND("rcs", true, true, false, true),
    RECEIVE_REDUCE_SEND("rrs", true, true, true, false),
    RECEIVE_REDUCE_COPY("rrc", true, false, true, true),
    RECEIVE_REDUCE_COPY_SEND("rrcs", true, true, true, true),
    COPY("cpy", false, false, true, true),
    REDUCE("re", false, false, true, true),
    /** Only waits. */
    NOP("nop", false, false, false, false);

    private final String text;
    private final boolean receives;
    private final boolean sends;
    private final boolean reads;
    private final boolean writes;

    StepType(String text, boolean receives, boolean sends, boolean reads, boolean writes) {
        this.text = text;
        this.receives = receives;
        this.sends = sends;
        this.reads = reads;
        this.writes = writes;
    }

    public static Optional<StepType> of(String text) {
        return Arrays.stream(values()).filter(each -> each.text.equals(text)).findFirst();
    }

    public boolean receives() {
        return receives;
    }

    public boolean sends() {
        return sends;
    }

    /** Whether it reads {@code srcbuf}. */
    public boolean reads() {
        return reads;
    }

    /** Whether it writes {@code dstbuf}. */
    public boolean writes() {
        return writes;
    }

    @Override
    public String toString() {
        return text;
    }
}
