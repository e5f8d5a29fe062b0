package org.rankunit.engine.report;

import java.io.IOException;
import java.nio.file.Path;

/**
 * A format in which the report of a run is written. Stateless.
 *
 * <p>A new format is a package with one class, and an entry in the list of {@code ReportStore}. The store handles locks,
 * attempts and the replacement of the previous file.
 */
public interface ReportFormat {

    /** Name of the file within the output folder. */
    String fileName();

    /**
     * Write the whole report.
     *
     * @param file does not exist yet, and is not read before this method returns
     * @throws IOException if the file cannot be written
     */
    void write(RunReport report, Path file) throws IOException;
}
