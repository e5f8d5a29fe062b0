// Marks the functions that a backend or a kernel library exports; everything else in it stays hidden.
#ifndef RANKUNIT_EXPORT_H
#define RANKUNIT_EXPORT_H

#define RANKUNIT_EXPORT __attribute__((visibility("default")))

#endif  // RANKUNIT_EXPORT_H
