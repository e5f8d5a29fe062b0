/** The user's private folders, and the lock of files that processes share. */
@NullMarked
package org.rankunit.engine.config.files;

import org.jspecify.annotations.NullMarked;
