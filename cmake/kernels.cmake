# Embeds the kernel text: each file of vouch/kernels that a module reaches, as bytes in one source of the build folder.
# Run by the build: cmake -DROOT=... -DOUT=... -P kernels.cmake. vouch/kernels/text.cc expands the includes at run time.
set(arrays "")
set(table "")
file(GLOB files RELATIVE ${ROOT} ${ROOT}/*.h)
list(REMOVE_ITEM files list.h text.h host_constants.h embedded.h)
foreach(file ${files})
  file(READ ${ROOT}/${file} hex HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
  string(MAKE_C_IDENTIFIER ${file} name)
  string(APPEND arrays "static const unsigned char ${name}[] = {${bytes}};\n")
  string(APPEND table "    {\"${file}\", reinterpret_cast<const char*>(${name}), sizeof ${name}},\n")
endforeach()
file(WRITE ${OUT} "#include \"vouch/kernels/embedded.h\"\nnamespace vouch::kernels {\n${arrays}"
     "const EmbeddedFile embedded_files[] = {\n${table}    {nullptr, nullptr, 0}};\n}\n")
