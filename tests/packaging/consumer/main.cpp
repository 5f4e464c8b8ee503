// SPDX-License-Identifier: Apache-2.0
//
// Calls one function of each of the two translation units that include the library.
float first(const float* data, int count);
float second(const float* data, int count);

int main() {
    const float data[] = {1, 2, 3};
    return first(data, 3) == 14 && second(data, 3) == 14 ? 0 : 1;
}
