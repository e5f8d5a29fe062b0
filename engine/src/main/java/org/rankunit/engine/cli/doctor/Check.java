package org.rankunit.engine.cli.doctor;

/** Looks at one thing of the machine, and changes nothing. */
interface Check {

    /** What is looked at, in a word or two. */
    String subject();

    /** Look at it. */
    Finding look();
}
