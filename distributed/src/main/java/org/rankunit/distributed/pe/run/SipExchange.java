package org.rankunit.distributed.pe.run;

import static org.apiguardian.api.API.Status.INTERNAL;

import java.util.List;
import org.apiguardian.api.API;

/** How the processes of several SIPs exchange what their processing elements have sent. All call in the same order. */
@API(status = INTERNAL, since = "0.1")
public interface SipExchange extends AutoCloseable {

    /** The SIP of this process. */
    int sip();

    /** Get what every process has given, in the order of the SIPs. Waits for all of them. */
    List<byte[]> allGather(byte[] own);

    @Override
    void close();
}
