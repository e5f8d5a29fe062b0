package org.rankunit.engine.link;

import org.rankunit.engine.control.FromRank;
import org.rankunit.engine.launch.ExitStatus;

/** Something that happened to one rank. */
public sealed interface RankSignal {

    RankLink link();

    /** The rank said something. */
    record Said(RankLink link, FromRank message) implements RankSignal {}

    /** The rank's process has ended, after everything it said was heard. */
    record Gone(RankLink link, ExitStatus status) implements RankSignal {}

    /** The rank's channel broke or ended while its process lives; it is of no more use. */
    record Lost(RankLink link, String why) implements RankSignal {}
}
