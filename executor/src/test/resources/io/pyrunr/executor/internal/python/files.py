import errno, filecmp, io, mmap, os, pathlib, shutil, stat, tempfile, time


def raises(number, action, *args, **kwargs):
    try:
        action(*args, **kwargs)
    except OSError as e:
        assert e.errno == number, e
    else:
        raise AssertionError("no error")


def put(path, text=""):
    with open(path, "w") as f:
        f.write(text)


def get(path):
    with open(path) as f:
        return f.read()


def test_append_and_update():
    put("a", "one")
    with open("a", "a") as f:
        assert f.tell() == 3
        f.write("two")
    with open("a", "r+") as f:
        f.seek(0, io.SEEK_END)
        f.write("3")
        f.seek(0)
        assert f.read() == "onetwo3"


def test_truncate_and_sparse():
    with open("a", "w+b") as f:
        f.write(b"abcdef")
        f.truncate(2)
        f.seek(5)
        f.write(b"x")
        f.seek(0)
        assert f.read() == b"ab\0\0\0x"
    os.truncate("a", 3)
    assert os.path.getsize("a") == 3
    with open("big", "wb") as f:
        f.seek(10**9)
        f.write(b"x")
    assert os.stat("big").st_size == 10**9 + 1


def test_unlink_while_open():
    with open("u", "w+") as f:
        f.write("alive")
        f.flush()
        os.unlink("u")
        assert not os.path.exists("u")
        assert os.fstat(f.fileno()).st_nlink == 0
        f.seek(0)
        assert f.read() == "alive"


def test_replace():
    put("x", "1")
    put("y", "2")
    with open("y") as old:
        os.replace("x", "y")
        assert old.read() == "2"
    assert get("y") == "1"
    assert os.listdir() == ["y"]


def test_errors_have_the_right_class_and_number():
    put("f")
    os.makedirs("d/e")
    raises(errno.ENOENT, open, "none")
    raises(errno.ENOTDIR, open, "f/x")
    raises(errno.EISDIR, open, "d")
    raises(errno.EEXIST, open, "f", "x")
    raises(errno.EEXIST, os.mkdir, "d")
    raises(errno.ENOTEMPTY, os.rmdir, "d")
    raises(errno.ENOTDIR, os.rmdir, "f")
    raises(errno.EISDIR, os.unlink, "d")
    raises(errno.ENOTDIR, os.listdir, "f")
    raises(errno.EINVAL, os.rename, "d", "d/e/x")
    raises(errno.ENAMETOOLONG, open, "n" * 256, "w")
    raises(errno.EINVAL, os.readlink, "f")
    os.symlink("loop", "loop")
    raises(errno.ELOOP, os.stat, "loop")


def test_permissions():
    put("p", "x")
    os.chmod("p", 0o400)
    assert stat.filemode(os.stat("p").st_mode) == "-r--------"
    raises(errno.EACCES, open, "p", "w")
    assert os.access("p", os.R_OK) and not os.access("p", os.W_OK)
    old = os.umask(0o077)
    try:
        put("q")
        os.mkdir("d")
        assert os.stat("q").st_mode & 0o777 == 0o600
        assert os.stat("d").st_mode & 0o777 == 0o700
    finally:
        os.umask(old)
    os.chmod("d", 0o500)
    raises(errno.EACCES, open, "d/x", "w")
    os.chmod("d", 0o700)


def test_symbolic_links():
    put("target", "text")
    os.symlink("target", "link")
    os.symlink("nowhere", "dangling")
    assert get("link") == "text"
    assert os.path.islink("link") and os.readlink("link") == "target"
    assert os.path.lexists("dangling") and not os.path.exists("dangling")
    assert os.path.realpath("link") == os.path.abspath("target")
    assert os.lstat("link").st_size == 6
    os.unlink("link")
    assert get("target") == "text"
    os.mkdir("real")
    os.symlink("real", "alias", target_is_directory=True)
    put("alias/f", "1")
    assert get("real/f") == "1"


def test_relative_paths_and_working_directory():
    os.makedirs("one/two")
    here = os.getcwd()
    os.chdir("one")
    try:
        put("two/../f", "x")
        assert get("./two/.././f") == "x"
        os.rename("../one", "../moved")
        assert os.getcwd() == here + "/moved"
        os.mkdir("gone")
        os.chdir("gone")
        os.rmdir("../gone")
        raises(errno.ENOENT, os.getcwd)
        raises(errno.ENOENT, open, "x", "w")
    finally:
        os.chdir(here)


def test_dir_fd():
    os.mkdir("d")
    fd = os.open("d", os.O_RDONLY | os.O_DIRECTORY)
    try:
        f = os.open("in", os.O_CREAT | os.O_WRONLY, 0o640, dir_fd=fd)
        os.write(f, b"abc")
        os.close(f)
        assert os.stat("in", dir_fd=fd).st_size == 3
        assert stat.S_IMODE(os.stat("d/in").st_mode) == 0o640
        os.rename("in", "out", src_dir_fd=fd, dst_dir_fd=fd)
        os.mkdir("sub", dir_fd=fd)
        assert sorted(os.listdir(fd)) == ["out", "sub"]
        with os.scandir(fd) as entries:
            assert {e.name: e.is_dir() for e in entries} == {"out": False, "sub": True}
        os.rmdir("sub", dir_fd=fd)
        os.unlink("out", dir_fd=fd)
        raises(errno.ENOENT, os.stat, "out", dir_fd=fd)
    finally:
        os.close(fd)
    assert os.listdir("d") == []


def test_walk_scandir_copytree_rmtree():
    os.makedirs("s/a/b")
    put("s/f", "f")
    put("s/a/g", "g")
    os.symlink("f", "s/l")
    shutil.copytree("s", "t", symlinks=True)
    found = [(d, sorted(ds), sorted(fs)) for d, ds, fs in os.walk("t")]
    assert found == [("t", ["a"], ["f", "l"]), ("t/a", ["b"], ["g"]), ("t/a/b", [], [])]
    for e in os.scandir("t"):
        assert e.inode() == os.lstat(e.path).st_ino
        assert e.is_symlink() == (e.name == "l")
        assert e.is_dir() == (e.name == "a")
    shutil.rmtree("t")
    assert not os.path.exists("t")
    shutil.move("s", "moved")
    assert get("moved/a/g") == "g"


def test_listing_a_large_directory_while_emptying_it():
    os.mkdir("many")
    for i in range(300):
        put(f"many/{i:03}{'x' * 60}")
    with os.scandir("many") as entries:
        for e in entries:
            os.unlink(e.path)
    assert os.listdir("many") == []


def test_times():
    put("f")
    os.utime("f", (1, 2))
    s = os.stat("f")
    assert (s.st_atime, s.st_mtime) == (1, 2)
    os.utime("f", ns=(-1, 987654321987654321))  # Python sets microseconds on this platform
    s = os.stat("f")
    assert (s.st_atime_ns, s.st_mtime_ns) == (-1000, 987654321987654000)
    os.utime("f")
    assert abs(os.stat("f").st_mtime - time.time()) < 60
    os.utime("f", (5, 5))
    put("f", "changed")
    assert abs(os.stat("f").st_mtime - time.time()) < 60


def test_times_read_are_times_written():
    """Whichever way: in nanoseconds, as shutil.copy2 does, or as floats, as scripts do."""
    for i in range(300):
        for name in "from", "to":
            with open(name, "w") as f:
                f.write("x")
        s = os.stat("from")
        shutil.copystat("from", "to")
        t = os.stat("to")
        assert (s.st_atime_ns, s.st_mtime_ns) == (t.st_atime_ns, t.st_mtime_ns)
        os.utime("to", (1, 1))
        os.utime("to", (s.st_atime, s.st_mtime))
        t = os.stat("to")
        assert (s.st_atime_ns, s.st_mtime_ns) == (t.st_atime_ns, t.st_mtime_ns)
        assert (s.st_atime, s.st_mtime) == (t.st_atime, t.st_mtime)
        assert filecmp.cmp("from", "to", shallow=True)
    os.utime("to", ns=(1_700_000_000_123_456_000, 999_000))
    t = os.stat("to")
    assert (t.st_atime_ns, t.st_mtime_ns) == (1_700_000_000_123_456_000, 999_000)


def test_mapped_file():
    with open("m", "w+b") as f:
        f.write(b"0123456789")
        f.flush()
        with mmap.mmap(f.fileno(), 0) as m:
            m[2:4] = b"XY"
            m.flush()
            f.seek(0)
            assert f.read() == b"01XY456789"
            m[0:1] = b"!"
        with mmap.mmap(f.fileno(), 0, access=mmap.ACCESS_COPY) as m:
            m[1:2] = b"?"
        with mmap.mmap(f.fileno(), 4, access=mmap.ACCESS_READ) as m:
            assert m[:] == b"!1XY"
        f.seek(0)
        assert f.read() == b"!1XY456789"
    with open("m", "rb") as f:
        raises(errno.EACCES, mmap.mmap, f.fileno(), 0)
    with mmap.mmap(-1, 100) as m:
        m[:3] = b"abc"
        assert m[:4] == b"abc\0"


def test_mapping_outlives_its_descriptor():
    with open("mapped", "wb+") as f:
        f.write(bytes(100))
        f.flush()
        m = mmap.mmap(f.fileno(), 0)
        number = f.fileno()
    with open("other", "wb+") as other:
        other.write(b"x" * 100)
        other.flush()
        assert other.fileno() == number
        m[:5] = b"hello"
        m.flush()
        assert open("mapped", "rb").read(6) == b"hello\0"
        m[5:10] = b"again"
        m.close()
        assert open("mapped", "rb").read(11) == b"helloagain\0"
        other.seek(0)
        assert other.read() == b"x" * 100


def test_mapping_of_a_removed_file():
    with open("mapped", "wb+") as f:
        f.write(bytes(100))
        f.flush()
        m = mmap.mmap(f.fileno(), 0)
        os.remove("mapped")
    with open("mapped", "wb") as f:
        f.write(b"new")
    m[:5] = b"hello"
    m.flush()
    m.close()
    assert open("mapped", "rb").read() == b"new"


def test_temporary_files():
    with tempfile.TemporaryFile() as f:
        f.write(b"q")
        f.seek(0)
        assert f.read() == b"q"
    with tempfile.NamedTemporaryFile() as f:
        assert os.path.exists(f.name)
    assert not os.path.exists(f.name)
    with tempfile.TemporaryDirectory() as d:
        put(d + "/x")
        os.makedirs(d + "/y/z")
    assert not os.path.exists(d)
    assert tempfile.gettempdir() == "/tmp"


def test_pathlib():
    p = pathlib.Path("d/e")
    p.mkdir(parents=True)
    (p / "f.txt").write_text("grün")
    assert (p / "f.txt").read_text() == "grün"
    assert [str(x) for x in sorted(pathlib.Path("d").rglob("*"))] == ["d/e", "d/e/f.txt"]
    (p / "f.txt").rename("g")
    assert pathlib.Path("g").stat().st_size == 5
    pathlib.Path("g").touch(exist_ok=True)
    pathlib.Path("g").unlink()
    pathlib.Path("g").unlink(missing_ok=True)


def test_names_are_bytes():
    put("grün")
    assert os.listdir() == ["grün"]
    with open(b"\xff\xfe", "w"):
        pass
    assert b"\xff\xfe" in os.listdir(b".")
    assert "\udcff\udcfe" in os.listdir()


def test_statvfs():
    s = os.statvfs("/")
    assert s.f_bsize == 4096 and 0 < s.f_bavail <= s.f_blocks and s.f_namemax == 255
    before = shutil.disk_usage("/tmp")
    assert 0 < before.free < before.total and before.used > 1 << 20  # the standard library
    assert 0 < s.f_favail <= s.f_ffree < s.f_files
    put("f", "x" * 100_000)
    after = shutil.disk_usage("/tmp")
    assert after.total == before.total and before.used + 100_000 <= after.used < before.used + 200_000
    os.unlink("f")
    assert shutil.disk_usage("/tmp") == before


def test_ownership_and_node_types():
    put("f")
    os.chown("f", 5, 6)
    assert (os.stat("f").st_uid, os.stat("f").st_gid) == (5, 6)
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)
    assert stat.S_ISDIR(os.stat("/").st_mode) and os.path.samefile("/", "/..")
