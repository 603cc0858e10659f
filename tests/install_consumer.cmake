# Installs the build into a folder of its own, then configures, builds and runs a project that knows
# the library by find_package alone.

function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE output
                  ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "${command}\nfailed (${result}):\n${output}")
  endif()
endfunction()

unset(ENV{DESTDIR})
file(REMOVE_RECURSE "${WORK_DIR}")
run("${CMAKE_COMMAND}" --install "${BUILD_DIR}" --prefix "${WORK_DIR}/prefix" --config "${CONFIG}")
run("${CMAKE_COMMAND}" -S "${SOURCE_DIR}" -B "${WORK_DIR}/build" -G "${GENERATOR}"
    -D "CMAKE_PREFIX_PATH=${WORK_DIR}/prefix" -D "CMAKE_CXX_COMPILER=${CXX}"
    -D "CMAKE_BUILD_TYPE=${CONFIG}" -D "CMAKE_CXX_FLAGS_RELEASE=-O0" -D "EXPECTED_VERSION=${VERSION}")
run("${CMAKE_COMMAND}" --build "${WORK_DIR}/build" --config "${CONFIG}")
run("${CMAKE_CTEST_COMMAND}" --test-dir "${WORK_DIR}/build" --build-config "${CONFIG}"
    --output-on-failure)
