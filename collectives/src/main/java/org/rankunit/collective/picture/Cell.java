package org.rankunit.collective.picture;

/**
 * What one chunk of one rank holds.
 *
 * @param label short, such as {@code "0..3"}
 * @param text the same for people who ask
 * @param look the class of its style
 */
record Cell(String label, String text, String look) {}
