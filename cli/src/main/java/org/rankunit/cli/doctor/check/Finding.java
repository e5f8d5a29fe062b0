package org.rankunit.cli.doctor.check;

/**
 * The result of a check.
 *
 * @param level how serious it is
 * @param what what was found, on one line, without a full stop
 * @param advice what to do, on one line; empty if there is nothing to do
 */
public record Finding(Level level, String what, String advice) {

    /** How serious a finding is. */
    public enum Level {
        OK,
        /** Tests run, with restrictions. */
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
