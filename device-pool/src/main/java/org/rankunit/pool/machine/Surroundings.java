package org.rankunit.pool.machine;

import java.nio.file.Path;
import java.util.Map;
import org.apiguardian.api.API;

/**
 * Hold all that a machine is told from, so that tests can give another one.
 *
 * @param root folder in which {@code dev} lies
 * @param environment variables of this process
 * @param npuSmi asked only where there are nodes of devices
 * @since 0.1
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Surroundings(Path root, Map<String, String> environment, NpuSmi npuSmi) {

    /** Copies the environment. */
    public Surroundings {
        environment = Map.copyOf(environment);
    }

    /** Take those of this process. */
    public static Surroundings real() {
        Path root = Path.of("/");
        Map<String, String> environment = System.getenv();
        return new Surroundings(root, environment, NpuSmi.find(root, environment, NpuSmi.PATIENCE));
    }
}
