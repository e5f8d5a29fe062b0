package org.rankunit.engine.slurm.job;

import org.jspecify.annotations.Nullable;

/** Slurm cannot be used, or refuses what it was asked; the message says what and, where that is known, what to do. */
public final class SlurmException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public SlurmException(String message) {
        super(message);
    }

    SlurmException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
