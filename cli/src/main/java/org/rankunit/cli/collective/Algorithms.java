package org.rankunit.cli.collective;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.rankunit.cli.pool.UsageException;
import org.rankunit.collective.CollectiveAlgorithm;
import org.rankunit.collective.algorithms.BuiltinAlgorithms;
import org.rankunit.collective.exchange.msccl.MscclFile;
import org.rankunit.collective.exchange.msccl.xml.MscclFormatException;

/**
 * Finds algorithms: those that RankUnit brings by their names, those of a user by the names of their classes, and programs of MSCCL by the
 * names of their files, which end in {@code .xml}.
 */
public final class Algorithms implements AutoCloseable {

    private static final String XML = ".xml";

    private final URLClassLoader users;

    private Algorithms(URLClassLoader users) {
        this.users = users;
    }

    /**
     * Open the user's classes.
     *
     * @throws UsageException if a place does not exist
     */
    public static Algorithms in(List<Path> classPath) {
        URL[] urls = new URL[classPath.size()];
        for (int i = 0; i < urls.length; i++) {
            Path place = classPath.get(i);
            if (!Files.exists(place)) {
                throw new UsageException("--class-path: " + place + " does not exist.");
            }
            try {
                urls[i] = place.toUri().toURL();
            } catch (MalformedURLException e) {
                throw new UsageException("--class-path: " + place + ": " + e.getMessage());
            }
        }
        return new Algorithms(new URLClassLoader(urls, Algorithms.class.getClassLoader()));
    }

    /** Get the algorithms of these names; all that RankUnit brings if there is no name. */
    public List<CollectiveAlgorithm> named(List<String> names) {
        if (names.isEmpty()) {
            return BuiltinAlgorithms.all();
        }
        List<CollectiveAlgorithm> found = new ArrayList<>();
        names.forEach(name -> found.add(named(name)));
        return found;
    }

    private CollectiveAlgorithm named(String name) {
        Optional<CollectiveAlgorithm> ours = ours(name);
        if (ours.isPresent()) {
            return ours.get();
        }
        if (name.endsWith(XML)) {
            return read(Path.of(name));
        }
        try {
            Class<?> type = Class.forName(name, false, users);
            return type.asSubclass(CollectiveAlgorithm.class)
                    .getDeclaredConstructor()
                    .newInstance();
        } catch (ClassNotFoundException e) {
            throw new UsageException("There is no algorithm \"" + name + "\". RankUnit has "
                    + String.join(
                            ", ",
                            BuiltinAlgorithms.all().stream()
                                    .map(CollectiveAlgorithm::name)
                                    .sorted()
                                    .toList())
                    + "; one of your own needs its full class name and --class-path; a program of MSCCL is named by its"
                    + " file, NAME.xml.");
        } catch (LinkageError e) {
            throw new UsageException("Class " + name + " cannot be loaded: " + e
                    + ". --class-path must also name what the class needs.");
        } catch (ClassCastException e) {
            throw new UsageException("Class " + name + " is not a CollectiveAlgorithm.");
        } catch (InvocationTargetException e) {
            throw new UsageException("The constructor of " + name + " failed: " + e.getCause());
        } catch (ReflectiveOperationException e) {
            throw new UsageException("Class " + name + " needs a public constructor without parameters.");
        }
    }

    private static Optional<CollectiveAlgorithm> ours(String name) {
        try {
            return BuiltinAlgorithms.named(name);
        } catch (IllegalArgumentException e) {
            throw new UsageException("There is no algorithm \"" + name + "\": " + e.getMessage() + ".");
        }
    }

    private static CollectiveAlgorithm read(Path file) {
        try {
            return MscclFile.read(file);
        } catch (MscclFormatException e) {
            throw new UsageException(String.valueOf(e.getMessage()));
        } catch (IOException e) {
            throw new UsageException(file + " cannot be read: " + Reasons.of(e, file));
        }
    }

    @Override
    public void close() throws IOException {
        users.close();
    }
}
