package org.rankunit.engine;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.function.BooleanSupplier;
import org.junit.platform.engine.ExecutionRequest;

/** Whether the user has cancelled the run. JUnit Platform 6.0 and newer report this; older ones have no cancellation. */
final class Cancellation {

    /** The reason that Jupiter gives for its own tests. */
    static final String REASON = "Execution cancelled";

    private Cancellation() {}

    static BooleanSupplier of(ExecutionRequest request) {
        try {
            Object token =
                    ExecutionRequest.class.getMethod("getCancellationToken").invoke(request);
            Method requested =
                    Class.forName("org.junit.platform.engine.CancellationToken").getMethod("isCancellationRequested");
            return () -> isRequested(token, requested);
        } catch (ReflectiveOperationException e) {
            return () -> false;
        }
    }

    private static boolean isRequested(Object token, Method requested) {
        try {
            return (boolean) requested.invoke(token);
        } catch (InvocationTargetException | IllegalAccessException e) {
            throw new IllegalStateException("cannot ask whether the run is cancelled", e);
        }
    }
}
