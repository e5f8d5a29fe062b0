package org.rankunit.engine.merge.text;

/** Explains why a test has a result although it did not run. */
public final class NotRunText {

    private NotRunText() {}

    /** The node around it failed, and would fail again. */
    public static String because(String failed) {
        return "did not run: " + failed + " failed";
    }

    /** Its ranks had become unfit for any test. */
    public static String unfit(String why) {
        return "did not run: " + why;
    }

    /** Its ranks ended without reporting anything about it. */
    public static String endedWithout() {
        return "its ranks ended without running it";
    }

    /** The lifecycle around it failed. */
    public static String lifecycle(String title, String lifecycle) {
        return title + " did not run: " + lifecycle;
    }

    /** Name the lifecycle of a class or container. */
    public static String lifecycleOf(String name) {
        return "the lifecycle of " + name;
    }
}
