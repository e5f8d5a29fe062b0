package org.rankunit.collective.verify.order;

import static org.apiguardian.api.API.Status.INTERNAL;

import org.apiguardian.api.API;

/** What is known, at some moment of a stream, to have happened before. */
@API(status = INTERNAL, since = "0.1")
public interface Knowledge {

    /** Whether what happened at this {@link Epoch} happened before. */
    boolean hasSeen(long epoch);
}
