# What pandas gives, as JSON: run here and by the same Pyodide under Node, the outputs must be equal.
import io
import json

import numpy as np
import pandas as pd

results = {"version": pd.__version__}
records = [
    {"id": 1, "city": "Oslo", "day": "2024-01-05", "amount": 10.5},
    {"id": 2, "city": "Rome", "day": "2024-01-09", "amount": None},
    {"id": 3, "city": "Oslo", "day": "2024-02-01", "amount": 7.25},
    {"id": 4, "city": "Łódź", "day": "2024-02-20", "amount": 3.0},
    {"id": 5, "city": "Rome", "day": "2024-03-31", "amount": 12.0},
]
frame = pd.DataFrame.from_records(records).assign(day=lambda f: pd.to_datetime(f.day))


def check(function):
    results[function.__name__] = function()
    return function


@check
def from_records():
    return [str(frame), str(frame.dtypes), frame.describe().to_csv(), frame.isna().sum().to_dict(), frame.fillna(0).amount.tolist()]


@check
def grouping():
    g = frame.groupby("city")
    return [
        g.amount.sum().to_dict(), g.amount.agg(["min", "max", "mean", "count"]).to_csv(), g.size().to_dict(), g.amount.transform("mean").tolist(),
        g.apply(lambda part: part.id.max(), include_groups=False).to_dict(), g.day.first().astype(str).to_dict(), g.amount.cumsum().tolist(),
        frame.groupby(["city", frame.day.dt.month]).id.sum().to_csv(), g.ngroup().tolist(), g.amount.quantile(0.5).to_dict(), g.amount.rank().tolist(),
    ]


@check
def merging():
    countries = pd.DataFrame({"city": ["Oslo", "Rome", "Paris"], "country": ["NO", "IT", "FR"]})
    out = [frame.merge(countries, on="city", how=how).sort_values(["id", "city"]).to_csv() for how in ("left", "right", "inner", "outer")]
    other = pd.DataFrame({"t": pd.to_datetime(["2024-01-06", "2024-02-10"]), "v": [1, 2]})
    out.append(pd.merge_asof(frame, other, left_on="day", right_on="t").to_csv())
    out.append(pd.concat([frame, frame.head(1)], ignore_index=True).id.tolist())
    return out + [frame.set_index("id").join(frame.set_index("id").amount.rename("again")).to_csv()]


@check
def pivoting():
    return [
        frame.pivot_table("amount", "city", frame.day.dt.month, aggfunc="sum", fill_value=0).to_csv(),
        frame.melt("id", ["city", "amount"]).to_csv(), pd.crosstab(frame.city, frame.day.dt.month).to_csv(),
        frame.set_index(["city", "id"]).amount.unstack().to_csv(), pd.get_dummies(frame.city).to_csv(), frame.explode("city").shape,
    ]


@check
def windows():
    s = pd.Series(np.arange(12.0), index=pd.date_range("2024-01-01", periods=12, freq="36h"))
    s.iloc[4] = np.nan
    return [
        s.rolling(3).mean().to_csv(), s.rolling("4D").sum().to_csv(), s.resample("W").sum().to_csv(), s.resample("12h").ffill().head(9).to_csv(),
        s.ewm(span=3).mean().to_csv(), s.expanding().max().tolist(), s.shift(2).to_csv(), s.interpolate().tolist(), s.rolling(4, min_periods=2).std().to_csv(),
        s.resample("ME").agg(["first", "last"]).to_csv(), s.diff().to_csv(),
    ]


@check
def text_files():
    csv = frame.to_csv(index=False)
    back = pd.read_csv(io.StringIO(csv), parse_dates=["day"])
    odd = pd.read_csv(io.StringIO('a;b\n1,5;"x;y"\n;z\n'), sep=";", decimal=",")
    wide = pd.read_csv(io.StringIO("k v\n1 2\n3 4\n"), sep=r"\s+", engine="python")
    chunks = [len(part) for part in pd.read_csv(io.StringIO(csv), chunksize=2)]
    return [csv, bool(back.equals(frame)), odd.to_csv(), wide.to_csv(), chunks, pd.read_fwf(io.StringIO("ab  1\ncd 22\n"), header=None).to_csv()]


@check
def json_files():
    text = frame.to_json(orient="records", date_format="iso")
    return [
        text, frame.to_json(orient="split"), frame.to_json(orient="table"), pd.read_json(io.StringIO(text)).to_csv(),
        pd.json_normalize([{"a": {"b": 1, "c": [1]}}, {"a": {"b": 2}}]).to_csv(), frame.to_json(orient="records", lines=True),
    ]


@check
def dates():
    d = pd.to_datetime(["2024-01-31", "31.12.2023", None], format="mixed", dayfirst=True)
    zoned = pd.Timestamp("2024-03-31 01:30", tz="Europe/Berlin") + pd.Timedelta("1h")
    return [
        str(d), str(zoned), str(pd.Timestamp("2024-01-31") + pd.offsets.MonthEnd(2)), str(pd.bdate_range("2024-01-05", periods=3)), str(pd.Period("2024Q1") + 1),
        str(pd.to_timedelta("1 days 02:03:04.5")), frame.day.dt.strftime("%d %b %a").tolist(), str(frame.day.dt.isocalendar().week.tolist()), str(frame.day.max() - frame.day.min()),
        str(pd.date_range("2024-01-01", periods=3, freq="QE")), str(pd.Timestamp("2024-02-29").to_period("M")), str(pd.interval_range(0, 3)), str(pd.to_datetime("nonsense", errors="coerce")),
    ]


@check
def categories():
    c = frame.city.astype("category")
    return [
        c.cat.categories.tolist(), c.cat.codes.tolist(), str(c.cat.set_categories(["Rome", "Oslo"]).tolist()), c.value_counts().to_dict(),
        pd.cut([1, 5, 9], [0, 3, 10], labels=["low", "high"]).tolist(), str(pd.qcut(range(8), 4)), str(pd.Categorical(["b", "a"], ordered=True).min()),
    ]


@check
def texts():
    s = frame.city
    return [
        s.str.upper().tolist(), s.str.contains("o", case=False).tolist(), s.str.extract(r"(\w)(\w)").to_csv(), s.str.len().tolist(), s.str.pad(6, fillchar=".").tolist(),
        s.str.normalize("NFD").str.len().tolist(), pd.array(["x", None], dtype="string").tolist().__repr__(), pd.array([1, None], dtype="Int64").sum().item(),
    ]


@check
def large():
    rng = np.random.default_rng(11)
    n = 100_000
    data = pd.DataFrame({"key": rng.integers(0, 500, n), "group": rng.choice(list("abcdef"), n), "x": rng.normal(size=n), "y": rng.integers(0, 1000, n)})
    g = data.groupby(["group", "key"]).agg(total=("x", "sum"), top=("y", "max"), n=("y", "size"))
    return [
        g.head(20).to_csv(), len(g), float(g.total.sum()), int(g.top.sum()), data.sort_values(["group", "y", "key", "x"]).head(5).to_csv(), data.key.nunique(),
        data.drop_duplicates(["key", "group"]).shape, data.query("y > 900 and group == 'a'").x.sum().item(), data.nlargest(3, "x").to_csv(), data.x.corr(data.y).item(),
    ]


@check
def indexing():
    f = frame.set_index("city")
    m = pd.MultiIndex.from_product([["a", "b"], [1, 2]], names=["l", "n"])
    t = pd.DataFrame({"v": range(4)}, index=m)
    return [
        f.loc["Oslo"].to_csv(), frame.iloc[-2:, [0, 1]].to_csv(), t.loc[("b", 1)].to_dict(), t.xs(2, level="n").to_csv(), frame[frame.amount.gt(5)].id.tolist(), t.swaplevel().sort_index().to_csv(),
        frame.reindex([4, 9]).to_csv(), frame.sample(2, random_state=3).id.tolist(), frame.eval("id * amount").tolist().__repr__(), frame.T.shape, frame.to_dict("list")["city"], frame.to_html()[:80],
    ]


@check
def errors():
    out = []
    for statement in ("frame['nope']", "frame.loc[99]", "pd.to_datetime('x')", "frame.merge(frame, on='z')", "pd.DataFrame({'a': [1], 'b': [1, 2]})", "frame.city.astype(int)", "pd.read_csv(io.StringIO(''))"):
        try:
            eval(statement)
        except Exception as error:
            out.append(f"{type(error).__name__}: {error}")
    return out


json.dumps(results)
