// What the blocks of the documentation extend: it is a part of each document's module. See docs.py.

struct Money { let amount: Int, currency: String }
struct Period { let from: Int, to: Int }
