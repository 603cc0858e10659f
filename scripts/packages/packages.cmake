# The Debian packages, made by CPack: `ntune` (component command), `libntune-dev` (development) and
# `python3-ntune` (python). scripts/package.sh calls it.

set(here "${CMAKE_CURRENT_LIST_DIR}")
set(made "${PROJECT_BINARY_DIR}/packages") # files of packages that are made here

set(CPACK_GENERATOR DEB)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_ALL command development)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGE_DIRECTORY "${made}")
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_MAINTAINER "${NTUNE_MAINTAINER}")

set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "tunes the parameters of noisy, expensive programs")
set(about
    "ntune finds good parameters for programs whose results are noisy and cost
time: game agents, engines, solvers. It is centred on the N-Tuple Bandit
Evolutionary Algorithm (NTBEA), and measures what it recommends with fresh
evaluations.")

set(CPACK_DEBIAN_COMMAND_PACKAGE_NAME ntune)
set(CPACK_DEBIAN_COMMAND_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_COMMAND_PACKAGE_RECOMMENDS "librsvg2-bin, python3")
set(CPACK_DEBIAN_COMMAND_DESCRIPTION
    "${about}

This package holds the command ntune, four laboratories for the games of its
papers, studies and examples.")

set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libntune-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS
    "libboost-dev, libeigen3-dev, libfmt-dev, libre2-dev, libsqlite3-dev, libtbb-dev, libyaml-cpp-dev, nlohmann-json3-dev, pkgconf, zlib1g-dev")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_RECOMMENDS "cmake, g++")
set(CPACK_DEBIAN_DEVELOPMENT_DESCRIPTION
    "${about}

This package holds the library for programs in C++20: headers, static libraries
and what CMake's find_package needs.")

set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-ntune)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PYTHON_PACKAGE_RECOMMENDS "python3-tqdm")
set(CPACK_DEBIAN_PYTHON_PACKAGE_SUGGESTS
    "ntune, python3-numpy, python3-pandas, python3-optuna, python3-sklearn, python3-distributed, python3-mpi4py")
set(CPACK_DEBIAN_PYTHON_PACKAGE_CONTROL_EXTRA "${here}/postinst;${here}/prerm")
set(CPACK_DEBIAN_PYTHON_DESCRIPTION
    "${about}

This package holds the module ntune of Python 3.")

if(TARGET ntune_python)
  list(APPEND CPACK_COMPONENTS_ALL python)
  execute_process(
    COMMAND "${PYTHON3}" -c "import sys; v = sys.version_info; print('python3 (>= %d.%d~), python3 (<< %d.%d)' % (v[0], v[1], v[0], v[1] + 1))"
    OUTPUT_VARIABLE CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
endif()

cmake_host_system_information(RESULT NTUNE_SUITE QUERY DISTRIB_VERSION_CODENAME)

# The files of Debian's policy for each package. Times are those of the last change, for the same packages from
# the same source.
file(READ "${PROJECT_SOURCE_DIR}/LICENSE" licence)
string(STRIP "${licence}" licence)
string(REGEX REPLACE "\n\n" "\n.\n" licence "${licence}")
string(REGEX REPLACE "\n" "\n " licence "${licence}")
configure_file("${here}/copyright.in" "${made}/copyright" @ONLY)
foreach(component IN LISTS CPACK_COMPONENTS_ALL)
  string(TOUPPER ${component} upper)
  set(package "${CPACK_DEBIAN_${upper}_PACKAGE_NAME}")
  set(documents "${CMAKE_INSTALL_DATADIR}/doc/${package}")
  configure_file("${here}/changelog.in" "${made}/${package}.changelog" @ONLY)
  if(NTUNE_MAINTAINER MATCHES "@localhost>$")
    configure_file("${here}/overrides.in" "${made}/${package}.overrides" @ONLY)
    install(FILES "${made}/${package}.overrides" DESTINATION "${CMAKE_INSTALL_DATADIR}/lintian/overrides"
            COMPONENT ${component} RENAME "${package}")
  endif()
  install(FILES "${made}/copyright" DESTINATION "${documents}" COMPONENT ${component})
  install(FILES "${made}/${package}.changelog.gz" DESTINATION "${documents}" COMPONENT ${component}
          RENAME changelog.gz)
endforeach()

install(DIRECTORY "${made}/man/" DESTINATION "${CMAKE_INSTALL_MANDIR}/man1" COMPONENT command)
file(CREATE_LINK ../../ntune "${made}/documents" SYMBOLIC)
install(FILES "${made}/documents" DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/ntune" COMPONENT command)

include(CPack)
