from dataclasses import dataclass, field
from decimal import Decimal
from functools import lru_cache


@dataclass
class Order:
    price: Decimal
    items: list = field(default_factory=list)

    def total(self):
        return sum((self.price for _ in self.items), Decimal(0))


class Special(Order):
    def total(self):
        return super().total() * 2


@lru_cache
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


orders = [(Special if i % 3 else Order)(Decimal(i) / 4, list(range(i % 5))) for i in range(params["n"])]
orders.sort(key=lambda order: order.price, reverse=True)
{"total": sum(order.total() for order in orders), "fib": fib(params["n"]), "big": str(3**200)[::-1]}
