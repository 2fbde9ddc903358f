# Flags of everything that is compiled here. Contraction is off and fast-math never on: the same
# forest must come out of every compiler and machine.
#
# Release builds define NDEBUG; the debug and sanitizer builds keep the assertions, and the whole
# test suite runs in both.
set(CMAKE_C_STANDARD 11)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS ON)
set(CMAKE_C_VISIBILITY_PRESET hidden)

add_compile_options("$<$<COMPILE_LANGUAGE:C>:-Wall;-Wextra;-ffp-contract=off>")
if(MINGW)
  # printf and strtod of MinGW, which follow C11 and round correctly, instead of those of Windows.
  add_compile_definitions(__USE_MINGW_ANSI_STDIO=1)
  add_link_options(-static) # so that neither the DLL nor programs need libraries of MinGW beside them
endif()
if(SPORF_WERROR)
  add_compile_options($<$<COMPILE_LANGUAGE:C>:-Werror>)
endif()
if(SPORF_SANITIZE)
  add_compile_options("$<$<COMPILE_LANGUAGE:C>:-fsanitize=${SPORF_SANITIZE};-fno-sanitize-recover=all;-fno-omit-frame-pointer>")
  add_link_options(-fsanitize=${SPORF_SANITIZE})
endif()
if(SPORF_FUZZ)
  if(NOT CMAKE_C_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "SPORF_FUZZ needs clang: use the preset 'fuzz', or set CMAKE_C_COMPILER. "
                        "On Debian or Ubuntu: apt-get install clang")
  endif()
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()
