def price(order):
    return float(order["price"])


def total(orders):
    return sum(price(order) for order in orders)


print("adding up", len(params), "orders")
total(params)
