"""How every place in the project begins: `${PROJECT_ROOT}/src/cart.py:12`.

Alone in a module that imports nothing: `status` asks whether a text names a place, and rarely has one to read.
"""

ROOT = "${PROJECT_ROOT}/"
