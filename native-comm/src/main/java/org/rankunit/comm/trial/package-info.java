/** A program that tries what tests need of a device and of a communicator. Internal. */
@NullMarked
package org.rankunit.comm.trial;

import org.jspecify.annotations.NullMarked;
