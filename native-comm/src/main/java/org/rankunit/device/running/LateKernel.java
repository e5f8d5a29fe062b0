package org.rankunit.device.running;

import static org.apiguardian.api.API.Status.INTERNAL;

import java.util.List;
import org.apiguardian.api.API;

/**
 * A kernel that has run for longer than it may.
 *
 * @param name of the kernel
 * @param where it runs, as in {@link RunningKernel}; may be empty
 * @param code where its thread is, {@code /path/libscale.so+0x1130}, the innermost function first; empty if that is not known
 * @since 0.1
 */
@API(status = INTERNAL, since = "0.1")
public record LateKernel(String name, String where, List<String> code) {

    public LateKernel {
        code = List.copyOf(code);
    }
}
