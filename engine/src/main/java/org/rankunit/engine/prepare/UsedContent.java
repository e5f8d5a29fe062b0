package org.rankunit.engine.prepare;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.net.URLConnection;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.rankunit.engine.config.ConfigKey;
import org.rankunit.engine.config.files.Digest;
import org.rankunit.engine.prepare.model.ClassPathUrl;
import org.rankunit.engine.prepare.model.ModelUses;

/** The present content of what models use. Each resource is read once. Not thread-safe. */
final class UsedContent {

    private static final String CLASS = ".class";
    private static final String ABSENT = "absent";

    private final URLClassLoader classPath;
    private final Map<String, String> parameters;
    private final Map<String, String> known = new HashMap<>();

    /**
     * Read from a class path.
     *
     * @param parameters those of the run, with their prefix
     */
    UsedContent(List<Path> classPath, Map<String, String> parameters) {
        URL[] urls = classPath.stream().map(ClassPathUrl::of).toArray(URL[]::new);
        this.classPath = new URLClassLoader(urls, null);
        this.parameters = parameters;
    }

    /** Digest everything that a model used: the same as long as all of it is the same, and nothing is there that was not. */
    String digest(ModelUses uses) throws IOException {
        Digest all = new Digest();
        for (String resource : uses.resources()) {
            all.add(resource).add(contentOf(resource));
        }
        for (String parameter : uses.parameters()) {
            all.add(parameter)
                    .add(Optional.ofNullable(parameters.get(ConfigKey.PARAMETER_PREFIX + parameter)).stream()
                            .toList());
        }
        return all.hex();
    }

    private String contentOf(String resource) throws IOException {
        String content = known.get(resource);
        if (content == null) {
            content = read(resource);
            known.put(resource, content);
        }
        return content;
    }

    /** Of a class the first counts, as for a class loader; of another resource all do, such as of a list of services. */
    private String read(String resource) throws IOException {
        if (resource.endsWith(CLASS)) {
            URL first = classPath.findResource(resource);
            return first == null ? ABSENT : digest(first);
        }
        Digest all = new Digest();
        for (var found = classPath.findResources(resource); found.hasMoreElements(); ) {
            all.add(digest(found.nextElement()));
        }
        return all.hex();
    }

    private static String digest(URL resource) throws IOException {
        URLConnection connection = resource.openConnection();
        // A jar may be replaced while this JVM runs.
        connection.setUseCaches(false);
        try (InputStream in = connection.getInputStream()) {
            return Digest.of(in.readAllBytes());
        }
    }
}
