package org.rankunit.engine.link;

import org.rankunit.engine.control.FromRank;
import org.rankunit.engine.launch.ExitStatus;

/** Something that happened to one rank. */
public sealed interface RankSignal {

    RankLink link();

    /** The rank said something. */
    record Said(RankLink link, FromRank message) implements RankSignal {

        @Override
        public <X extends Exception> void accept(Visitor<X> visitor) throws X {
            visitor.said(this);
        }
    }

    /**
     * The rank's channel has ended, and with it most probably its process; it is of no more use. {@link Gone} follows if the
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

    /** The rank's process has ended, after everything it said was heard. */
    record Gone(RankLink link, ExitStatus status) implements RankSignal {

        @Override
        public <X extends Exception> void accept(Visitor<X> visitor) throws X {
            visitor.gone(this);
        }
    }

    /** The rank's channel broke or ended, and its process is not known to have ended; it is of no more use. */
    record Lost(RankLink link, String why) implements RankSignal {

        @Override
        public <X extends Exception> void accept(Visitor<X> visitor) throws X {
            visitor.lost(this);
        }
    }

    /** Give the visitor this signal. */
    <X extends Exception> void accept(Visitor<X> visitor) throws X;

    /**
     * Takes every kind of signal, so that one that is forgotten does not compile.
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
