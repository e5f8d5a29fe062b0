/** Values in files: NumPy's {@code .npy} and {@code .npz}, and raw {@code .bin}. */
@NullMarked
package org.rankunit.golden.files;

import org.jspecify.annotations.NullMarked;
