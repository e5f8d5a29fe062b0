package org.rankunit.engine.protocol;

import org.rankunit.graph.TaskArgument;

/**
 * One argument of {@link org.rankunit.KernelArguments}.
 *
 * @param name of a buffer, or a {@link Token}
 * @param use how the kernel uses a buffer; SCALAR for a token
 */
public record ArgumentDeclaration(String name, TaskArgument.Use use) {

    /** What else than a buffer an argument can be. */
    public enum Token {
        NRANKS("nranks"),
        ROOT("root"),
        DEVICE_CONTEXT("deviceCtx");

        private final String text;

        Token(String text) {
            this.text = text;
        }

        /** How users write it. */
        public String text() {
            return text;
        }
    }
}
