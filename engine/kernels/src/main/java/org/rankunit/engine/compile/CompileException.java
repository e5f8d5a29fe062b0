package org.rankunit.engine.compile;

/** A kernel cannot be compiled. The message is for the author of its test; it says why, and what to do. */
final class CompileException extends Exception {

    private static final long serialVersionUID = 1L;

    CompileException(String message) {
        super(message);
    }
}
