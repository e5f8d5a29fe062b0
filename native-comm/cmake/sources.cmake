# Checks each C++ source by itself; what would be made of it are empty files: .ci/sources.sh.
set(RANKUNIT_UNITY_BUILD OFF)
set(CMAKE_CXX_COMPILE_OBJECT
  "<CMAKE_CXX_COMPILER> <DEFINES> <INCLUDES> <FLAGS> -fsyntax-only <SOURCE>" "<CMAKE_COMMAND> -E touch <OBJECT>")
foreach(rule LINK_EXECUTABLE CREATE_SHARED_LIBRARY ARCHIVE_CREATE)
  set(CMAKE_CXX_${rule} "<CMAKE_COMMAND> -E touch <TARGET>")
endforeach()
set(CMAKE_CXX_ARCHIVE_FINISH "")
