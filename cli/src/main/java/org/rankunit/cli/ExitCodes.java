package org.rankunit.cli;

import java.io.PrintWriter;
import org.rankunit.cli.pool.UsageException;
import org.rankunit.engine.config.ConfigurationException;
import org.rankunit.pool.lock.PoolException;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.ParseResult;

/** The exit codes of all commands, and the output of a command that fails. Stateless. */
final class ExitCodes implements IExecutionExceptionHandler {

    /** Success. */
    static final int FINE = 0;
    /** The command did its work and found a failure. */
    static final int NOT_WELL = 1;
    /** The command line or a key is invalid. Picocli uses the same code for a command it cannot parse. */
    static final int USAGE = 2;
    /** The pool cannot be used. */
    static final int NO_POOL = 3;
    /** A bug in RankUnit. */
    static final int DEFECT = 4;

    /** Entries of the list of exit codes in the help of the commands. */
    static final String FINE_TEXT = "0:Success.";

    static final String USAGE_TEXT = "2:The command line or a key is invalid.";
    static final String NO_POOL_TEXT = "3:The pool cannot be used; standard error says why.";

    @Override
    public int handleExecutionException(Exception e, CommandLine command, ParseResult parsed) {
        int code = codeOf(e);
        PrintWriter err = command.getErr();
        if (code == DEFECT || wantsStackTrace(parsed)) {
            e.printStackTrace(err);
        } else {
            err.println(e.getMessage());
        }
        err.flush();
        return code;
    }

    private static int codeOf(Exception e) {
        if (e instanceof UsageException || e instanceof ConfigurationException) {
            return USAGE;
        }
        return e instanceof PoolException ? NO_POOL : DEFECT;
    }

    private static boolean wantsStackTrace(ParseResult parsed) {
        ParseResult innermost = parsed;
        while (innermost.hasSubcommand()) {
            innermost = innermost.subcommand();
        }
        return innermost.hasMatchedOption(PoolOptions.STACK_TRACE);
    }
}
