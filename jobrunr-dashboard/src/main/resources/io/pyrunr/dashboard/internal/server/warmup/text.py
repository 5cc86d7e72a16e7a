import re

words = re.findall(r"\w+", "The quick brown fox jumps over the lazy dog, again and again. " * 5)
lines = [f"{i:>3} {word.upper():<8}|{len(word) / 3:.2f}" for i, word in enumerate(sorted(set(words)))]
print("\n".join(lines))
re.sub(r"(\w)(\w*)", lambda m: m[2] + m[1], " ".join(words).replace("fox", "cat"))[:80]
