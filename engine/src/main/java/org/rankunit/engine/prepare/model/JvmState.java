package org.rankunit.engine.prepare.model;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.Locale;
import java.util.Properties;
import java.util.TimeZone;

/**
 * What a model may change for those that the same JVM computes after it.
 *
 * @param output where it prints
 */
record JvmState(OutputStream output, Properties properties, Locale locale, TimeZone zone) {

    static JvmState now(OutputStream output) {
        return new JvmState(output, copy(System.getProperties()), Locale.getDefault(), TimeZone.getDefault());
    }

    private static Properties copy(Properties all) {
        Properties copy = new Properties();
        all.stringPropertyNames().forEach(name -> copy.setProperty(name, all.getProperty(name)));
        return copy;
    }

    /** Make everything as it was. */
    void restore() {
        System.setOut(printer());
        System.setErr(printer());
        System.setProperties(copy(properties));
        Locale.setDefault(locale);
        TimeZone.setDefault(zone);
    }

    /** A model may close its stream, but not what that prints to. */
    private PrintStream printer() {
        return new PrintStream(
                new FilterOutputStream(output) {

                    @Override
                    public void write(byte[] bytes, int from, int length) throws IOException {
                        out.write(bytes, from, length);
                    }

                    @Override
                    public void close() {}
                },
                true);
    }
}
