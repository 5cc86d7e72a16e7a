import errno, os, select, socket, sys


def raises(number, action, *args):
    try:
        action(*args)
    except OSError as e:
        assert e.errno == number, e
    else:
        raise AssertionError("no error")


def test_dup_shares_the_position():
    fd = os.open("f", os.O_RDWR | os.O_CREAT)
    os.write(fd, b"abcdef")
    copy = os.dup(fd)
    os.lseek(fd, 2, os.SEEK_SET)
    assert os.read(copy, 2) == b"cd"
    assert os.dup2(fd, 50) == 50
    os.close(fd)
    os.close(copy)
    assert os.read(50, 9) == b"ef"
    os.close(50)
    raises(errno.EBADF, os.read, 50, 1)


def test_positional_and_vectored_transfers():
    fd = os.open("f", os.O_RDWR | os.O_CREAT)
    assert os.pwrite(fd, b"ABCD", 1) == 4
    assert os.pread(fd, 2, 2) == b"BC"
    assert os.lseek(fd, 0, os.SEEK_CUR) == 0
    parts = [bytearray(2), bytearray(9)]
    assert os.readv(fd, parts) == 5
    assert parts[0] == b"\0A" and parts[1][:3] == b"BCD"
    assert os.writev(fd, [b"12", b"", b"345"]) == 5
    raises(errno.EINVAL, os.lseek, fd, -1, os.SEEK_SET)
    os.fsync(fd)
    os.close(fd)


def test_access_modes():
    fd = os.open("f", os.O_WRONLY | os.O_CREAT)
    raises(errno.EBADF, os.read, fd, 1)
    os.close(fd)
    fd = os.open("f", os.O_RDONLY)
    raises(errno.EBADF, os.write, fd, b"x")
    raises(errno.EINVAL, os.ftruncate, fd, 0)
    os.close(fd)


def test_inheritable():
    fd = os.open("f", os.O_RDWR | os.O_CREAT)
    assert not os.get_inheritable(fd)
    os.set_inheritable(fd, True)
    assert os.get_inheritable(fd)
    os.close(fd)


def test_pipe():
    r, w = os.pipe()
    os.write(w, b"hello")
    assert os.read(r, 3) == b"hel"
    os.close(w)
    assert os.read(r, 10) == b"lo"
    assert os.read(r, 10) == b""
    os.close(r)
    r, w = os.pipe()
    raises(errno.EAGAIN, os.read, r, 1)
    os.close(r)
    raises(errno.EPIPE, os.write, w, b"x")
    os.close(w)


def test_select_and_poll():
    r, w = os.pipe()
    assert select.select([r], [w], [], 0) == ([], [w], [])
    os.write(w, b"x")
    assert select.select([r], [w], [], 0) == ([r], [w], [])
    p = select.poll()
    p.register(r, select.POLLIN)
    assert p.poll(0) == [(r, select.POLLIN)]
    os.close(w)
    os.read(r, 1)
    assert p.poll(0) == [(r, select.POLLHUP)]
    os.close(r)
    assert p.poll(0) == [(r, select.POLLNVAL)]


def test_devices():
    with open("/dev/null", "r+b", buffering=0) as f:
        assert f.read() == b"" and f.write(b"x") == 1
    with open("/dev/zero", "rb") as f:
        assert f.read(70000) == bytes(70000)
    with open("/dev/urandom", "rb") as f:
        assert len(set(f.read(1000))) > 100
    raises(errno.ENXIO, open, "/dev/tty")
    raises(errno.ENOTTY, os.ttyname, 1) if hasattr(os, "ttyname") else None


def test_devices_seek_as_on_linux():
    for name in "null", "zero", "random", "urandom":
        fd = os.open("/dev/" + name, os.O_RDWR)
        os.read(fd, 5)
        for whence in os.SEEK_SET, os.SEEK_CUR, os.SEEK_END:
            for offset in -7, 0, 7:
                assert os.lseek(fd, offset, whence) == 0
        raises(errno.EINVAL, os.lseek, fd, 0, 9)
        assert len(os.pread(fd, 5, 100)) == (0 if name == "null" else 5)
        os.close(fd)
    for mode in "a", "a+", "r+", "w+", "ab", "r+b":
        with open(os.devnull, mode) as f:
            assert f.seekable() and f.seek(0, 2) == 0 and f.tell() == 0
            assert f.write("abc" if "b" not in mode else b"abc") == 3
            f.flush()
            assert os.lseek(f.fileno(), 0, os.SEEK_CUR) == 0
    for stream in 0, 1, 2:
        raises(errno.ESPIPE, os.lseek, stream, 0, os.SEEK_CUR)


def test_standard_streams():
    assert not any(s.isatty() for s in (sys.stdin, sys.stdout, sys.stderr))
    assert sys.stdin.read() == ""
    copy = os.dup(1)
    os.dup2(os.open("out", os.O_CREAT | os.O_WRONLY), 1)
    print("to the file", flush=True)
    os.dup2(copy, 1)
    os.close(copy)
    assert open("out").read() == "to the file\n"


def test_sockets_lead_nowhere():
    s = socket.socket()
    raises(errno.EHOSTUNREACH, s.connect, ("127.0.0.1", 80))
    raises(errno.ENOTCONN, s.recv, 1)
    s.close()
    try:
        socket.getaddrinfo("example.org", 80)
    except socket.gaierror:
        pass
    else:
        raise AssertionError("resolved")


def test_descriptors_run_out():
    held = []
    try:
        while len(held) < 5000:
            held.append(os.open("/dev/null", os.O_RDONLY))
        raise AssertionError("no limit")
    except OSError as e:
        assert e.errno == errno.EMFILE
    finally:
        for fd in held:
            os.close(fd)
