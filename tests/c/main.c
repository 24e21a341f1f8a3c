/* The C interface, by a program in C: main DIRECTORY, which must be empty. */

#include "tests/c/check.h"

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  SetDirectory(argv[1]);
  RunParts();
  return Report();
}
