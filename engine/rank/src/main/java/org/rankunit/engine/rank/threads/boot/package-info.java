/** What the JDK's classes can call: the JVM's own class loader loads it. */
@org.jspecify.annotations.NullMarked
package org.rankunit.engine.rank.threads.boot;
