package org.rankunit.collective.call;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.util.Locale;
import org.apiguardian.api.API;

/**
 * How elements of several ranks become one. The order in which they are reduced is that of the algorithm's tasks.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public enum Reduction {
    SUM,
    PROD,
    MAX,
    MIN;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
