package org.rankunit.engine.watch;

import java.io.Closeable;
import java.io.IOException;
import java.util.Optional;

/** A terminal that others write to as well. Used by one thread. */
interface Screen extends Closeable {

    /** How many rows and columns it has now; empty if it does not say. */
    Optional<Size> size();

    /** Write a text as a whole, so that the output of others is before or after it. */
    void write(String text) throws IOException;

    /** Rows and columns. */
    record Size(int rows, int columns) {}
}
