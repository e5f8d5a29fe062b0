package org.rankunit.engine.rank.parent;

import org.rankunit.comm.Rendezvous;
import org.rankunit.engine.protocol.FromRank;
import org.rankunit.engine.protocol.ToRank;

/**
 * Lets the ranks find each other through the control channel: rank 0 sends its root info to the parent, which passes it on to the
 * others.
 */
public final class ParentRelay implements Rendezvous.Relay {

    private final ControlLine control;

    /** Use it before {@code control} is started, because the answer is read here. */
    public ParentRelay(ControlLine control) {
        this.control = control;
    }

    @Override
    public void publish(String rootInfo) {
        control.send(new FromRank.RootInfo(rootInfo));
    }

    @Override
    public String await() {
        ToRank said = control.receive();
        if (said instanceof ToRank.RootInfo told) {
            return told.text();
        } else if (said == null) {
            throw new LostParentException(
                    "the control channel ended before the parent sent the root information of rank 0");
        }
        throw new IllegalStateException("the parent sent something other than the address of rank 0");
    }
}
