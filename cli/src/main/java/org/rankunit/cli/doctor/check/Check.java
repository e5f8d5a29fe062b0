package org.rankunit.cli.doctor.check;

/** Checks one property of the machine, and changes nothing. */
public interface Check {

    /** Returns what is checked, in a word or two. */
    String subject();

    /** Makes the check. */
    Finding look();
}
