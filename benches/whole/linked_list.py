"""A linked list is walked."""


class Node:
    def __init__(self, value, next):
        self.value = value
        self.next = next


def walk(n):
    head = None
    for i in range(1000):
        head = Node(i, head)
    s = 0
    for k in range(n // 1000):
        node = head
        while node is not None:
            s += node.value
            node = node.next
    return s


def work():
    return walk(50000)
