template<class T> __global__ void k(T* p){ *p=1; }
void f(){k<<<1,1>>>((int*)nullptr);}
