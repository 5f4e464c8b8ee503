// SPDX-License-Identifier: Apache-2.0
//
// Calls one function of each of the two translation units that include the library.
int first();
int second();

int main() {
    return first() == second() ? 0 : 1;
}
