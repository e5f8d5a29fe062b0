package org.rankunit.comm;

import static java.util.Objects.requireNonNull;
import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.nio.file.Path;
import org.apiguardian.api.API;

/**
 * How the ranks of one communicator find each other.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public sealed interface Rendezvous {

    /**
     * Use a file in an existing folder. Rank 0 creates and removes it. No other communicator may use it at the same
     * time.
     */
    record File(Path path) implements Rendezvous {
        public File {
            requireNonNull(path, "path");
        }
    }

    /**
     * Use a text that the launcher passes from rank 0 to the other ranks, so that no file can be stale or shared by accident. Requires
     * a library with {@code comm_root_info} and {@code comm_join}. The text is a secret of the ranks: where they may be on several
     * machines, a process that knows it can join.
     */
    non-sealed interface Relay extends Rendezvous {

        /** Publish the text; called once, on rank 0. */
        void publish(String rootInfo);

        /** Wait for the text; called once, on all other ranks. */
        String await();
    }
}
