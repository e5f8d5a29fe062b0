package org.rankunit.engine.cli.doctor;

/**
 * What a check has found.
 *
 * @param level whether it is well
 * @param what was found, on one line, without a full stop
 * @param advice what to do, on one line; empty where there is nothing to do
 */
public record Finding(Level level, String what, String advice) {

    /** How well it is. */
    public enum Level {
        OK,
        /** Tests run, but not all that could. */
        WARN,
        /** Tests do not run. */
        FAIL
    }

    public static Finding ok(String what) {
        return new Finding(Level.OK, what, "");
    }

    public static Finding warn(String what, String advice) {
        return new Finding(Level.WARN, what, advice);
    }

    public static Finding fail(String what, String advice) {
        return new Finding(Level.FAIL, what, advice);
    }
}
