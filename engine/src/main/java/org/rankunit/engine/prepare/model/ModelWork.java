package org.rankunit.engine.prepare.model;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;

/** Computes one model in this JVM. */
public final class ModelWork {

    private ModelWork() {}

    /**
     * Write what a model gives for all ranks into a folder.
     *
     * @throws InterruptedException if this thread was interrupted
     * @throws IOException if the files cannot be written
     */
    public static ModelAnswer compute(ModelRequest request, Path folder) throws InterruptedException, IOException {
        Set<String> parameters = new ConcurrentSkipListSet<>();
        RecordingLoader loader = new RecordingLoader(request.classPath());
        ModelRun run = new ModelRun(request, loader, parameters::add);
        try {
            ModelFiles.Names names = new ModelFiles(request.variant(), run).computeInto(folder);
            ModelUses uses = new ModelUses(loader.used(), List.copyOf(parameters));
            return new ModelAnswer.Computed(
                    new ModelResult(names.inputs(), names.outputs(), uses, System.currentTimeMillis()),
                    run.stillRuns());
        } catch (GoldenException e) {
            return new ModelAnswer.Refused(String.valueOf(e.getMessage()), run.stillRuns());
        }
    }
}
