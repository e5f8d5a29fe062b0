package org.rankunit.collective.call;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import org.apiguardian.api.API;

/**
 * Which buffers other ranks can reach.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public enum MemoryMode {
    /**
     * {@link BufferKind#CCL_IN} and {@link BufferKind#CCL_OUT} only, since a caller passes other buffers at each call. HCCL's
     * name; also "op-base".
     */
    SINGLE_OPERATOR,
    /** All buffers: those of the caller lie in windows. In HCCL, "graph mode" with reserved memory. */
    WINDOWS;

    /** Whether other ranks can reach buffers of this kind. */
    public boolean reaches(BufferKind kind) {
        return this == WINDOWS || kind == BufferKind.CCL_IN || kind == BufferKind.CCL_OUT;
    }
}
