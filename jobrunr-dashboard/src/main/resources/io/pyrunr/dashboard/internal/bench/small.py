import json


def report(orders):
    totals = {}
    for customer, amount in orders:
        totals[customer] = totals.get(customer, 0) + amount
    return json.dumps({"totals": totals, "orders": len(orders)}, sort_keys=True)


report([("customer %d" % (i % 7), i * 1.25) for i in range(40)])
