from __future__ import annotations
from dataclasses import dataclass, field
from typing import ClassVar, Optional
@dataclass
class Node:
    value: int
    next: Node | None = None
    count: ClassVar[int] = 0
    tags: list[str] = field(default_factory=list)
def f(x: Undefined, *, y: int = 3) -> Node | None:
    q: Also = 3
    return Node(x)
print(f(3), f.__annotations__, Node.__annotations__)
v: Whatever = 3

def main():
    print("main")
    return 0


if __name__ == "__main__":
    main()
