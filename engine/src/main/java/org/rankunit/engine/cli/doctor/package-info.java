/** Checks whether this machine can run tests. There is one class for each check. */
@NullMarked
package org.rankunit.engine.cli.doctor;

import org.jspecify.annotations.NullMarked;
