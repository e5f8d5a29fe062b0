package org.rankunit.comm;

import static java.util.Objects.requireNonNull;
import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.nio.file.Path;
import org.apiguardian.api.API;

/**
 * The way by which the ranks of one communicator find each other.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public sealed interface Rendezvous {

    /**
     * Meet at a file, in an existing folder; it is made and removed by rank 0, and of no other communicator at the same
     * time.
     */
    record File(Path path) implements Rendezvous {
        public File {
            requireNonNull(path, "path");
        }
    }

    /**
     * Meet by a text that whoever has started the ranks carries from rank 0 to the others. No file can be stale or shared
     * by accident then. For libraries that have {@code comm_root_info} and {@code comm_join}.
     */
    non-sealed interface Relay extends Rendezvous {

        /** Hand over the text; called once, on rank 0. */
        void publish(String rootInfo);

        /** Wait for the text; called once, on all other ranks. */
        String await();
    }
}
