sum(i * i for i in range(params["n"]))
