# Builds for Arm servers on any other machine; the compilers are those of Debian's g++-aarch64-linux-gnu.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)

# Runs the tests.
find_program(RANKUNIT_EMULATOR NAMES qemu-aarch64-static qemu-aarch64)
if(RANKUNIT_EMULATOR)
  set(CMAKE_CROSSCOMPILING_EMULATOR "${RANKUNIT_EMULATOR};-L;/usr/aarch64-linux-gnu")
endif()
