/** Where the inputs and expected outputs of a test come from: a golden model, or files. */
@NullMarked
package org.rankunit.golden.model;

import org.jspecify.annotations.NullMarked;
