print("this job may use 128 MiB")
hoard = []
while True:
    hoard.append(bytearray(8 << 20))
    print(f"{8 * len(hoard)} MiB")
