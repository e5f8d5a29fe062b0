package org.rankunit.engine.report;

import java.io.IOException;
import java.nio.file.Path;

/**
 * A format in which the report of a run is written. Stateless.
 *
 * <p>A new format is a package with one class, and an entry in the list of {@code ReportStore}. Locks, attempts and the
 * replacement of the former file are the store's business.
 */
public interface ReportFormat {

    /** Name of the file within the output folder. */
    String fileName();

    /**
     * Write the whole report.
     *
     * @param file does not exist, and nobody reads it before this returns
     * @throws IOException if the file cannot be written
     */
    void write(RunReport report, Path file) throws IOException;
}
