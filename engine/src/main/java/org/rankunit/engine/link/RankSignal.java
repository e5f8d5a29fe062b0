package org.rankunit.engine.link;

import org.rankunit.engine.launch.ExitStatus;
import org.rankunit.engine.protocol.FromRank;

/** Something that happened to one rank. */
public sealed interface RankSignal {

    RankLink link();

    /** The rank sent a message. */
    record Said(RankLink link, FromRank message) implements RankSignal {

        @Override
        public <X extends Exception> void accept(Visitor<X> visitor) throws X {
            visitor.said(this);
        }
    }

    /**
     * The rank's channel has ended, and most probably its process, too. The rank can no longer be used. {@link Gone} follows if the
     * process is found to have ended, and {@link Lost} if that is not known in time.
     *
     * @param why a clause such as {@code closed its control channel}
     */
    record HungUp(RankLink link, String why) implements RankSignal {

        @Override
        public <X extends Exception> void accept(Visitor<X> visitor) throws X {
            visitor.hungUp(this);
        }
    }

    /** The rank's process has ended, and everything it sent has been read. */
    record Gone(RankLink link, ExitStatus status) implements RankSignal {

        @Override
        public <X extends Exception> void accept(Visitor<X> visitor) throws X {
            visitor.gone(this);
        }
    }

    /** The rank's channel broke or ended, and its process is not known to have ended. The rank can no longer be used. */
    record Lost(RankLink link, String why) implements RankSignal {

        @Override
        public <X extends Exception> void accept(Visitor<X> visitor) throws X {
            visitor.lost(this);
        }
    }

    /** Pass this signal to the visitor. */
    <X extends Exception> void accept(Visitor<X> visitor) throws X;

    /**
     * Handles every kind of signal; a visitor that omits one does not compile.
     *
     * @param <X> what its methods may throw
     */
    interface Visitor<X extends Exception> {

        void said(Said said) throws X;

        void hungUp(HungUp hungUp) throws X;

        void gone(Gone gone) throws X;

        void lost(Lost lost) throws X;
    }
}
