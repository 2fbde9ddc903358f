/* Stands for a test that wraps malloc, where the linker cannot do that. */
#include <stdio.h>

int main(void) {
    puts("1..0 # SKIP this linker cannot wrap malloc");
    return 0;
}
