# Checks each C++ source by itself, and makes nothing of it, so that there is nothing to link: .ci/sources.sh.
set(RANKUNIT_UNITY_BUILD OFF)
string(APPEND CMAKE_CXX_FLAGS " -fsyntax-only")
foreach(rule LINK_EXECUTABLE CREATE_SHARED_LIBRARY ARCHIVE_CREATE ARCHIVE_FINISH)
  set(CMAKE_CXX_${rule} true)
endforeach()
