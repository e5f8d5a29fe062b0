package org.rankunit.collective;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import org.apiguardian.api.API;

/**
 * A queue of tasks of one rank. Tasks of one stream run in order; tasks of different streams run concurrently.
 *
 * <p>A task that moves no bytes is left out, and so is a copy of bytes onto themselves, which an operation in place would make.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public interface TaskStream {

    /** Copy bytes of this rank. */
    void copy(Region from, Region to);

    /** Reduce elements of this rank: {@code to[i] = to[i] op from[i]}. */
    void reduce(Region from, Region to);

    /** Write bytes of this rank to the rank at the other end. */
    void put(Link link, Region from, Region to);

    /** Read bytes of the rank at the other end. */
    void get(Link link, Region from, Region to);

    /** Reduce elements of the rank at the other end: {@code to[i] = to[i] op from[i]}, each element at once. */
    void putReduce(Link link, Region from, Region to);

    /** Reduce elements of this rank with those of the rank at the other end: {@code to[i] = to[i] op from[i]}. */
    void getReduce(Link link, Region from, Region to);

    /** Set a notify of this rank. If it is set already, nothing changes. */
    void post(LocalNotify notify);

    /** Wait until a notify of this rank is set, and reset it. */
    void waitFor(LocalNotify notify);

    /** Set the notify of the other end. If it is set already, nothing changes. */
    void post(Link link, Signal signal);

    /** Wait until the notify of this end is set, and reset it. */
    void waitFor(Link link, Signal signal);

    /** Tell the other end that it may read and write: "TxAck". */
    default void txAck(Link link) {
        post(link, Signal.ACK);
    }

    /** Wait for {@link #txAck} of the other end: "RxAck". */
    default void rxAck(Link link) {
        waitFor(link, Signal.ACK);
    }

    /** Tell the other end that data was written or has been read: "TxDataSignal". */
    default void txDataSignal(Link link) {
        post(link, Signal.DATA_SIGNAL);
    }

    /** Wait for {@link #txDataSignal} of the other end: "RxDataSignal". */
    default void rxDataSignal(Link link) {
        waitFor(link, Signal.DATA_SIGNAL);
    }

    /**
     * Tell the other end that its data has arrived: "PostFinAck". Inside a server, where a write has ended when it returns, this
     * does nothing.
     */
    default void txDataAck(Link link) {
        if (link.medium().has(Signal.DATA_ACK)) {
            post(link, Signal.DATA_ACK);
        }
    }

    /** Wait for {@link #txDataAck} of the other end: "WaitFinAck". Inside a server, this does nothing. */
    default void rxDataAck(Link link) {
        if (link.medium().has(Signal.DATA_ACK)) {
            waitFor(link, Signal.DATA_ACK);
        }
    }
}
