/** The files that ranks on other nodes need: seen on a shared file system, or copied to the nodes once in a run. */
@NullMarked
package org.rankunit.engine.slurm.files;

import org.jspecify.annotations.NullMarked;
