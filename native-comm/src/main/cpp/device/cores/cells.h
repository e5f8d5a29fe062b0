// Semaphores: int32 cells in memory that processes may share.
#ifndef RANKUNIT_DEVICE_CORES_CELLS_H
#define RANKUNIT_DEVICE_CORES_CELLS_H

#include <cstdint>
#include <string>

#include "device/cores/interruption.h"
#include "rankunit/kernel.h"
#include "record/format.h"

namespace rankunit::device {

// The operations of KernelOps and of streams on cells. Addresses are checked against the memory map. Failures are
// thrown. A waiter sleeps on the cell itself, so it does not matter which process changes it, or at which address that
// process maps it. A cell that something changes without `signal_cell` is noticed within Interruption::kSlice.
void signal_cell(uint64_t cell, KernelSignal signal, int32_t value);
bool cells_satisfy(const KernelCells &cells, KernelCompare compare, int32_t value);
// The same for who goes on because of it, which is recorded.
bool cells_satisfy(const KernelCells &cells, KernelCompare compare, int32_t value, record::Look look);
// The same for the predicate of a task, which is recorded whether it holds or not: the task goes on in either case.
bool predicate_holds(const KernelCells &cells, KernelCompare compare, int32_t value);
// `who` begins the text of a time-out: "stream 2". A thread with a turn gives it up meanwhile.
void wait_for_cells(const KernelCells &cells, KernelCompare compare, int32_t value, const Interruption &interruption,
                    const std::string &who, bool has_turn);

// "4 x 2 cells at 0x7f00 >= 3", for people.
std::string text_of(const KernelCells &cells, KernelCompare compare, int32_t value);
// "the cell at 0x7f00 >= 3, which is 1", with the first cell that does not satisfy the comparison.
std::string text_of_state(const KernelCells &cells, KernelCompare compare, int32_t value);

// Throw DEVICE_INVALID_ARGUMENT.
KernelSignal require_signal(uint32_t signal);
KernelCompare require_compare(uint32_t compare);
void require_cells(const KernelCells &cells);

}  // namespace rankunit::device

#endif  // RANKUNIT_DEVICE_CORES_CELLS_H
