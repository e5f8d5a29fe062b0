package org.rankunit.engine.prepare.model;

import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.nio.file.Path;

/** Makes URLs of the entries of a class path, for class loaders. */
public final class ClassPathUrl {

    private ClassPathUrl() {}

    /** The URL of a folder or a jar, with no {@code !/}, at which the name of a jar in a URL ends. */
    public static URL of(Path entry) {
        try {
            return URI.create(entry.toUri().toString().replace("!/", "%21/")).toURL();
        } catch (MalformedURLException e) {
            throw new IllegalArgumentException(entry + " cannot be on a class path", e);
        }
    }
}
