# The kernels as PTX inside the library: any NVIDIA GPU from Turing on then needs only its driver. Written by Clang (the
# compiler, or one beside it) where it has the NVPTX target; otherwise the table is empty and the CUDA device asks NVRTC.
# Where NVIDIA's ptxas is found too, machine code for VOUCH_CUDA_ARCHITECTURES is carried beside it, which spares a new
# machine the driver's compilation (seconds).
option(VOUCH_PTX "Compile the kernels to PTX and carry them in the library, where a Clang can" ON)
set(VOUCH_CUDA_ARCHITECTURES "75;80;90" CACHE STRING "Compute capabilities to carry machine code for, where ptxas is found")
find_program(VOUCH_PTXAS ptxas HINTS /usr/local/cuda/bin)

# Also of use without PTX: prints the text of a module.
add_executable(vouch_print_kernels ${PROJECT_SOURCE_DIR}/tools/print_kernels.cc)
foreach(module core field curve hash kernels)
  if(TARGET vouch_${module})
    target_sources(vouch_print_kernels PRIVATE $<TARGET_OBJECTS:vouch_${module}>)
  endif()
endforeach()
target_link_libraries(vouch_print_kernels PRIVATE vouch_flags vouch_sanitizers)

function(vouch_find_ptx_compiler probe)
  set(clang ${CMAKE_CXX_COMPILER})
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    find_program(VOUCH_CLANG NAMES clang++-20 clang++-19 clang++-18 clang++-17 clang++-16 clang++-15 clang++-14 clang++)
    set(clang ${VOUCH_CLANG})
  endif()
  file(WRITE ${probe}.cu "extern \"C\" __attribute__((global)) void probe(unsigned* p) { asm(\"brev.b32 %0, %1;\" : \"=r\"(*p) : \"r\"(*p)); }\n")
  set(command ${clang} ${VOUCH_PTX_FLAGS} -o ${probe}.ptx ${probe}.cu)
  execute_process(COMMAND ${command} RESULT_VARIABLE failed OUTPUT_QUIET ERROR_QUIET)
  if(NOT clang OR failed)
    message(STATUS "No Clang with the NVPTX target: vouch carries no PTX, CUDA devices need libnvrtc")
    set(clang "")
  endif()
  set(VOUCH_PTX_COMPILER "${clang}" CACHE INTERNAL "Clang that writes PTX")
endfunction()

# Appends to symbols, table and files of the caller what embeds one file: assembly that includes it, its row, itself.
macro(vouch_add_image module architecture file)
  set(symbol vouch_image_${module}_${architecture})
  string(APPEND symbols "__asm__(\".pushsection .rodata,\\\"a\\\"\\n.balign 16\\n.globl ${symbol}, ${symbol}_end\\n\"\n"
         "        \".hidden ${symbol}, ${symbol}_end\\n${symbol}:\\n.incbin \\\"${file}\\\"\\n\"\n"
         "        \"${symbol}_end:\\n.byte 0\\n.popsection\\n\");\n"
         "extern \"C\" const char ${symbol}[], ${symbol}_end[];\n")
  string(APPEND table "    {\"${module}\", ${architecture}, ${symbol}, ${symbol}_end},\n")
  list(APPEND files ${file})
endmacro()

# Adds the table of kernel images to `target`.
function(vouch_embed_images target)
  set(dir ${CMAKE_CURRENT_BINARY_DIR}/vouch_images)
  set(symbols "")
  set(table "")
  set(files "")
  set(VOUCH_PTX_COMPILER "" CACHE INTERNAL "Clang that writes PTX")
  if(VOUCH_PTX AND CMAKE_SYSTEM_NAME STREQUAL "Linux" AND NOT CMAKE_CROSSCOMPILING AND NOT VOUCH_SANITIZE AND NOT VOUCH_FUZZ)
    set(VOUCH_PTX_FLAGS -x cuda --cuda-device-only -nocudainc -nocudalib -Wno-unknown-cuda-version --cuda-gpu-arch=sm_75 -O3 -S)
    vouch_find_ptx_compiler(${dir}/probe)
  endif()
  if(VOUCH_PTX_COMPILER)
    file(READ ${PROJECT_SOURCE_DIR}/vouch/kernels/list.h list)
    string(REGEX MATCHALL "X\\([a-z0-9]+, VOUCH_KERNELS_" modules "${list}")
    foreach(line ${modules})
      string(REGEX REPLACE "X\\(([a-z0-9]+),.*" "\\1" module "${line}")
      set(ptx ${dir}/${module}.ptx)
      add_custom_command(OUTPUT ${dir}/${module}.cu COMMAND vouch_print_kernels ${module} > ${dir}/${module}.cu
                         DEPENDS vouch_print_kernels)
      add_custom_command(OUTPUT ${ptx}
        COMMAND ${CMAKE_CXX_COMPILER_LAUNCHER} ${VOUCH_PTX_COMPILER} ${VOUCH_PTX_FLAGS} -DGK_USE_PTX -o ${ptx} ${dir}/${module}.cu
        DEPENDS ${dir}/${module}.cu COMMENT "Compiling kernels of ${module} to PTX")
      vouch_add_image(${module} 0 ${ptx})
      if(VOUCH_PTXAS)
        foreach(architecture ${VOUCH_CUDA_ARCHITECTURES})
          set(cubin ${dir}/${module}.${architecture}.cubin)
          add_custom_command(OUTPUT ${cubin} COMMAND ${VOUCH_PTXAS} -arch=sm_${architecture} -o ${cubin} ${ptx}
                             DEPENDS ${ptx} COMMENT "Assembling kernels of ${module} for sm_${architecture}")
          vouch_add_image(${module} ${architecture} ${cubin})
        endforeach()
      endif()
    endforeach()
  endif()
  file(CONFIGURE OUTPUT ${dir}/table.cc CONTENT "#include \"vouch/backend/gpu/images.h\"
${symbols}namespace vouch::gpu {
const KernelImage kernel_images[] = {\n${table}    {nullptr, 0, nullptr, nullptr}};
}  // namespace vouch::gpu\n" @ONLY)
  set_source_files_properties(${dir}/table.cc PROPERTIES OBJECT_DEPENDS "${files}")
  target_sources(${target} PRIVATE ${dir}/table.cc)
endfunction()
