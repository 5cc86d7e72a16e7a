sum(params["xs"])
