/** The command line of a rank JVM, and the archive of classes that makes a rank JVM start fast. */
@NullMarked
package org.rankunit.engine.launch.command;

import org.jspecify.annotations.NullMarked;
