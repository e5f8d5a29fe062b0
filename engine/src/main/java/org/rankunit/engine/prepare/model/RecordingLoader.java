package org.rankunit.engine.prepare.model;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.Enumeration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import org.jspecify.annotations.Nullable;

/**
 * Loads a model and what it uses, and remembers what that was: every class and resource that it was asked for, found or not. What RankUnit
 * and JUnit consist of comes from its parent, and is not remembered.
 */
final class RecordingLoader extends URLClassLoader {

    static {
        registerAsParallelCapable();
    }

    private final Set<String> used = new ConcurrentSkipListSet<>();

    RecordingLoader(List<String> classPath) {
        super("golden-model", urlsOf(classPath), RecordingLoader.class.getClassLoader());
    }

    private static URL[] urlsOf(List<String> classPath) {
        return classPath.stream().map(Path::of).map(ClassPathUrl::of).toArray(URL[]::new);
    }

    List<String> used() {
        return List.copyOf(used);
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        used.add(name.replace('.', '/') + ".class");
        return super.findClass(name);
    }

    @Override
    public @Nullable URL findResource(String name) {
        used.add(name);
        return super.findResource(name);
    }

    @Override
    public Enumeration<URL> findResources(String name) throws IOException {
        used.add(name);
        return super.findResources(name);
    }
}
