#include <fuse/fuse.hpp>
int main(){ return 0; }
