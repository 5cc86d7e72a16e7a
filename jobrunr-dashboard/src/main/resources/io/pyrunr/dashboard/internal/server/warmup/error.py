def parse(text):
    try:
        return float(text)
    except ValueError as error:
        raise RuntimeError(f"{text!r} is no price") from error


[parse(text) for text in ("19.90", "5", "n/a")]
