package org.rankunit.engine.prepare.model;

import java.io.PrintStream;
import java.util.Locale;
import java.util.Properties;
import java.util.TimeZone;

/** What a model may change for those that the same JVM computes after it. */
record JvmState(PrintStream out, PrintStream err, Properties properties, Locale locale, TimeZone zone) {

    static JvmState now() {
        return new JvmState(
                System.out, System.err, copy(System.getProperties()), Locale.getDefault(), TimeZone.getDefault());
    }

    private static Properties copy(Properties all) {
        Properties copy = new Properties();
        all.stringPropertyNames().forEach(name -> copy.setProperty(name, all.getProperty(name)));
        return copy;
    }

    /** Make everything as it was. */
    void restore() {
        System.setOut(out);
        System.setErr(err);
        System.setProperties(copy(properties));
        Locale.setDefault(locale);
        TimeZone.setDefault(zone);
    }
}
