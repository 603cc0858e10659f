# Asks a test program for its cases and writes them to a file that ctest includes.
#   PROGRAM        the program
#   EMULATOR       what executes it, if it is for another processor
#   FOLDER         its folder: prefix and label of each test
#   CATCH_VERSION  of Catch2
#   SLOWDOWN       how many times as long as usual a case may take
#   OUTPUT         the file to write

if(CATCH_VERSION VERSION_LESS 3)
  set(list_option --list-test-names-only)
else()
  set(list_option --list-tests --verbosity quiet)
endif()

set(script "")

# Appends the cases that match a Catch2 test spec, with the labels and a limit in seconds.
function(add_cases spec labels timeout)
  math(EXPR timeout "${timeout} * ${SLOWDOWN}")
  execute_process(
    COMMAND ${EMULATOR} "${PROGRAM}" "${spec}" ${list_option}
    OUTPUT_VARIABLE names
    ERROR_VARIABLE errors
    RESULT_VARIABLE result)
  # Version 2 returns the number of cases. Both write names alone, unless something is wrong.
  if(NOT result MATCHES "^[0-9]+$" OR NOT errors STREQUAL "")
    message(FATAL_ERROR "${PROGRAM} cannot list its tests (${result}):\n${names}${errors}")
  endif()
  while(names MATCHES "^([^\n]*)\n(.*)$")
    set(name "${CMAKE_MATCH_1}")
    set(names "${CMAKE_MATCH_2}")
    if(name STREQUAL "")
      continue()
    endif()
    string(REGEX REPLACE "([][\\,\"~])" "\\\\\\1" pattern "${name}")
    set(test "[==[${FOLDER}: ${name}]==]")
    string(APPEND script
           "add_test(${test} ${EMULATOR} [==[${PROGRAM}]==] [==[${pattern}]==])\n"
           "set_tests_properties(${test} PROPERTIES LABELS \"${labels}\" TIMEOUT ${timeout}"
           " SKIP_REGULAR_EXPRESSION \"warning:\\n *skipped: \")\n")
  endwhile()
  set(script "${script}" PARENT_SCOPE)
endfunction()

add_cases("~[slow]~[statistical]~[.]" "${FOLDER}" 300)
add_cases("[slow]~[statistical]" "${FOLDER};slow" 3600)
add_cases("~[slow][statistical]" "${FOLDER};statistical" 3600)
add_cases("[slow][statistical]" "${FOLDER};slow;statistical" 3600)
file(WRITE "${OUTPUT}" "${script}")
