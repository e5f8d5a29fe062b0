/**
 * How the threads of a test on simulated devices are ordered: a lock, a latch, a future. Seen by code that is added to classes of
 * the JDK and of users as soon as a test makes a thread.
 */
@org.jspecify.annotations.NullMarked
package org.rankunit.engine.rank.threads;
