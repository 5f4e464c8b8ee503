// ptx: entries 1
// ptx: no .local
// ptx: contains ld.global.v4.f32|ld.global.v4.u32
// ptxas: no spills
// ptxas: registers 20
template<class T> __global__ void k(T* p, T* q){ p[threadIdx.x] = q[threadIdx.x]; }
template __global__ void k(float4*, float4*);
