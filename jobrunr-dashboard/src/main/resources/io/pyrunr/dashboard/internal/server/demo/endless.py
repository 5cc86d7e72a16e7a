print("this job would never end; its time limit is 2 seconds")
n = 0
while True:
    n += 1
