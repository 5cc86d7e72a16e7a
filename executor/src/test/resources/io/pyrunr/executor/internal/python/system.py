import errno, os, random, shutil, signal, sys, time, uuid


def test_nothing_of_the_host_shows():
    assert set(os.environ) == {
        "USER", "LOGNAME", "PATH", "PWD", "HOME", "LANG", "_", "PYTHONINSPECT"}
    assert os.uname().machine == "wasm32"
    assert sorted(os.listdir("/")) == ["dev", "home", "lib", "tmp"]
    assert sys.platform == "emscripten"


def test_random_numbers():
    assert os.urandom(16) != os.urandom(16)
    assert len(os.urandom(100_000)) == 100_000
    assert uuid.uuid4() != uuid.uuid4()
    assert 0 <= random.SystemRandom().random() < 1


def test_clocks():
    assert 1.7e9 < time.time() < 1e11
    a = time.monotonic()
    assert time.monotonic() >= a
    assert time.perf_counter_ns() > 0
    assert time.clock_getres(time.CLOCK_MONOTONIC) > 0
    t = time.monotonic()
    time.sleep(0.05)
    assert time.monotonic() - t >= 0.049


def test_universal_time():
    assert time.gmtime(0)[:8] == (1970, 1, 1, 0, 0, 0, 3, 1)
    assert time.gmtime(951782400)[:8] == (2000, 2, 29, 0, 0, 0, 1, 60)
    assert time.gmtime(-1)[:6] == (1969, 12, 31, 23, 59, 59)
    import calendar
    for t in (0, -1, 951782400, 2**33, -(2**33)):
        assert calendar.timegm(time.gmtime(t)) == t
        assert time.mktime(time.localtime(t)) == t
    for year in (2**31 - 1, -(2**31) + 1901):
        try:
            time.mktime((year, 1, 1, 0, 0, 0, 0, 0, 0))
        except OverflowError:
            pass


def in_zone(zone, action):
    os.environ["TZ"] = zone
    try:
        return action()
    finally:
        del os.environ["TZ"]


def test_time_zone_of_the_program():
    show = lambda t: time.strftime("%H:%M %Z %z", time.localtime(t))
    assert show(0) == "00:00 UTC +0000"
    assert in_zone("JST-9", lambda: show(0)) == "09:00 JST +0900"
    assert in_zone("EST5EDT", lambda: show(1690000000)) == "00:26 EDT -0400"
    assert in_zone("EST5EDT", lambda: show(1700000000)) == "17:13 EST -0500"
    assert in_zone("<+03>-3:30", lambda: show(0)) == "03:30 +03 +0330"
    assert in_zone("Europe/Berlin", lambda: show(1690000000)) == "06:26 CEST +0200"
    assert in_zone("no such zone", lambda: show(0)) == "00:00 UTC +0000"
    assert in_zone("Mars/Base", lambda: show(0)) == "00:00 UTC +0000"
    assert show(0) == "00:00 UTC +0000"


def test_mktime_where_clocks_change():
    # The expected values are glibc's.
    def all():
        return [
            time.mktime(t)
            for t in (
                (2024, 3, 31, 2, 30, 0, 0, 0, -1),
                (2024, 10, 27, 2, 30, 0, 0, 0, 0),
                (2024, 10, 27, 2, 30, 0, 0, 0, 1),
                (2024, 10, 27, 2, 30, 0, 0, 0, -1),
                (2024, 7, 1, 12, 0, 0, 0, 0, 0),
                (2024, 1, 1, 12, 0, 0, 0, 0, 1),
                (2024, 13, 40, 25, 61, 61, 0, 0, -1),
            )
        ]

    assert in_zone("CET-1CEST,M3.5.0,M10.5.0/3", all) == [
        1711848600, 1729992600, 1729989000, 1729989000, 1719831600, 1704103200, 1739149321]


def test_signals():
    hits = []
    signal.signal(signal.SIGUSR1, lambda number, frame: hits.append(number))
    signal.raise_signal(signal.SIGUSR1)
    assert hits == [signal.SIGUSR1]


def test_processes_do_not_exist():
    assert os.system("ls") != 0
    for action in (os.fork, lambda: os.execv("/bin/ls", ["ls"])):
        try:
            action()
        except OSError:
            pass
        else:
            raise AssertionError("there is a process")


def test_terminal_size_has_a_default():
    assert shutil.get_terminal_size() == (80, 24)


def test_memory_is_limited():
    try:
        bytearray(2**31 - 1)
    except MemoryError:
        pass
    else:
        raise AssertionError("no limit")
    blocks = []
    try:
        while True:
            blocks.append(bytearray(32 << 20))
    except MemoryError:
        blocks.clear()
    assert sum(range(1000)) == 499500


def test_extension_modules_are_refused_clearly():
    import importlib.machinery, importlib.util
    with open("x.so", "wb") as f:
        f.write(b"\0asm")
    loader = importlib.machinery.ExtensionFileLoader("x", "x.so")
    spec = importlib.util.spec_from_file_location("x", "x.so", loader=loader)
    try:
        importlib.util.module_from_spec(spec)
    except ImportError as e:
        assert "x.so" in str(e) and "%" not in str(e), e
    else:
        raise AssertionError("loaded")


def test_ctypes_calls_into_the_interpreter():
    import ctypes
    from ctypes import c_char_p, c_double, c_int, c_int64, c_long, c_size_t, py_object

    api = ctypes.pythonapi
    assert api.Py_IsInitialized() == 1
    api.PyFloat_FromDouble.restype = py_object
    api.PyFloat_FromDouble.argtypes = [c_double]
    assert api.PyFloat_FromDouble(2.5) == 2.5
    api.PyLong_FromLongLong.restype = py_object
    api.PyLong_FromLongLong.argtypes = [c_int64]
    assert api.PyLong_FromLongLong(-(2**40)) == -(2**40)
    api.PyLong_AsLongLong.restype = c_int64
    api.PyLong_AsLongLong.argtypes = [py_object]
    assert api.PyLong_AsLongLong(2**40 + 1) == 2**40 + 1
    api.PyUnicode_FromFormat.restype = py_object
    api.PyUnicode_FromFormat.argtypes = [c_char_p]  # what comes after these is variadic
    assert api.PyUnicode_FromFormat(b"%d-%s", c_int(7), c_char_p(b"x")) == "7-x"
    buffer = ctypes.create_string_buffer(b"hello")
    assert ctypes.string_at(buffer) == b"hello"
    target = ctypes.create_string_buffer(6)
    ctypes.memmove(target, buffer, 6)
    assert target.value == b"hello"
    assert ctypes.cast(buffer, ctypes.POINTER(ctypes.c_char))[1] == b"e"
    libc = ctypes.CDLL(None)
    libc.strlen.restype = c_size_t
    assert libc.strlen(b"four") == 4
    libc.abs.argtypes = [c_long]
    assert libc.abs(-5) == 5

    class Division(ctypes.Structure):
        _fields_ = [("quot", c_int), ("rem", c_int)]

    libc.div.restype = Division
    assert (libc.div(17, 5).quot, libc.div(17, 5).rem) == (3, 2)
    try:
        ctypes.pythonapi.no_such_function
    except AttributeError as e:
        assert "no_such_function" in str(e)
    else:
        raise AssertionError("found")
