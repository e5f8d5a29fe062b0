package org.rankunit.engine.prepare;

import java.io.IOException;
import java.nio.file.Path;
import org.rankunit.engine.prepare.model.ModelAnswer;
import org.rankunit.engine.prepare.model.ModelRequest;

/** Where golden models are computed. Used by one thread at a time, except that any thread may close it. */
public interface Models extends AutoCloseable {

    /**
     * Compute a model for all ranks into a folder. Ends, whatever the model does, unless the request has no limit.
     *
     * @return anything but {@link ModelAnswer.Exits}, which is said as a refusal
     * @throws IOException if models cannot be computed; the message says why
     * @throws InterruptedException if this thread was interrupted; then nothing of the model goes on
     */
    ModelAnswer compute(ModelRequest request, Path folder) throws IOException, InterruptedException;

    /** End what is being computed. */
    @Override
    void close();
}
