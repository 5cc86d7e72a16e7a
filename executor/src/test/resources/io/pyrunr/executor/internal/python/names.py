import socket
import urllib.request


def refused(code, call, *args, **options):
    try:
        answer = call(*args, **options)
    except socket.gaierror as error:
        assert error.errno == code, (error, args)
    else:
        raise AssertionError((answer, args, options))


def address(*args, **options):
    """The one answer; a version 6 address as Python built without it shows it: family, port and rest."""
    (family, kind, protocol, name, address), = socket.getaddrinfo(*args, **options)
    if family == socket.AF_INET6:
        assert address[0] == family
        address = int.from_bytes(address[1][:2], "big")
    return family, address


def test_numeric_addresses():
    four, six = socket.AF_INET, socket.AF_INET6
    assert address("127.0.0.1", 80, flags=socket.AI_NUMERICHOST) == (four, ("127.0.0.1", 80))
    assert address("255.254.1.2", "65535") == (four, ("255.254.1.2", 65535))
    assert address("0.0.0.0", None) == (four, ("0.0.0.0", 0))
    assert address("10.1", 1) == (four, ("10.0.0.1", 1))
    assert address("::1", 80, flags=socket.AI_NUMERICHOST) == (six, 80)
    assert address("2001:db8::ff", 1) == (six, 1)
    assert address("::ffff:1.2.3.4", 1) == (six, 1)
    assert address("1.2.3.4", 1, six, flags=socket.AI_V4MAPPED) == (six, 1)
    for bad in "256.1.1.1", "1.2.3.4.5", "1.2.3.", ":::1", "12345::g", "1.2.3.4 x", "[::1]":
        refused(socket.EAI_NONAME, socket.getaddrinfo, bad, 80)
    refused(socket.EAI_NONAME, socket.getaddrinfo, "1.2.3.4", 80, six)
    refused(socket.EAI_NONAME, socket.getaddrinfo, "::1", 80, four)
    assert socket.gethostbyname("10.1.2.3") == "10.1.2.3"
    assert socket.gethostbyname_ex("10.1.2.3")[2] == ["10.1.2.3"]


def test_names_of_this_host():
    for name in "localhost", "LocalHost", socket.gethostname():
        assert address(name, 80) == (socket.AF_INET, ("127.0.0.1", 80)), name
        assert address(name, 80, socket.AF_INET6) == (socket.AF_INET6, 80)
        assert socket.gethostbyname(name) == "127.0.0.1"
        assert socket.gethostbyname_ex(name)[2] == ["127.0.0.1"]
        refused(socket.EAI_NONAME, socket.getaddrinfo, name, 80, flags=socket.AI_NUMERICHOST)
    assert socket.gethostbyaddr("127.0.0.1")[0] == "localhost"
    assert socket.getfqdn() == "localhost"


def test_no_name():
    assert address(None, 80) == (socket.AF_INET, ("127.0.0.1", 80))
    assert address(None, 80, flags=socket.AI_PASSIVE) == (socket.AF_INET, ("0.0.0.0", 80))
    assert address(None, 8, socket.AF_INET6, flags=socket.AI_PASSIVE) == (socket.AF_INET6, 8)
    refused(socket.EAI_NONAME, socket.getaddrinfo, None, None)
    refused(socket.EAI_BADFLAGS, socket.getaddrinfo, None, 80, flags=socket.AI_CANONNAME)


def test_others_are_unknown():
    for name in "example.com", "localhost.example.com", ".".join(["x" * 60] * 5), "", "ü":
        refused(socket.EAI_NONAME, socket.getaddrinfo, name, 80)
    refused(socket.EAI_NONAME, socket.gethostbyname, "example.com")
    refused(socket.EAI_NONAME, socket.create_connection, ("example.com", 80))


def test_kinds_of_sockets():
    def kind(*args):
        return socket.getaddrinfo("1.2.3.4", 80, *args)[0][1:3]

    tcp = socket.SOCK_STREAM, socket.IPPROTO_TCP
    udp = socket.SOCK_DGRAM, socket.IPPROTO_UDP
    assert kind() == kind(0, socket.SOCK_STREAM) == kind(0, 0, socket.IPPROTO_TCP) == tcp
    assert kind(0, socket.SOCK_DGRAM) == kind(0, 0, socket.IPPROTO_UDP) == udp
    refused(socket.EAI_SOCKTYPE, kind, 0, 77)
    refused(socket.EAI_FAMILY, kind, 77)
    refused(socket.EAI_SERVICE, socket.getaddrinfo, "1.2.3.4", "nosuch")
    refused(socket.EAI_BADFLAGS, socket.getaddrinfo, "1.2.3.4", 80, flags=1 << 20)
    refused(socket.EAI_NONAME, socket.getaddrinfo, "1.2.3.4", "x", flags=socket.AI_NUMERICSERV)
    (*_, canonical, _), = socket.getaddrinfo("localhost", 80, flags=socket.AI_CANONNAME)
    assert canonical == "localhost"
    assert socket.getprotobyname("tcp") == 6 and socket.getprotobyname("udp") == 17


def test_names_of_addresses():
    numeric = socket.NI_NUMERICHOST | socket.NI_NUMERICSERV
    assert socket.getnameinfo(("127.0.0.1", 80), 0) == ("localhost", "80")
    assert socket.getnameinfo(("127.0.0.1", 65535), numeric) == ("127.0.0.1", "65535")
    assert socket.getnameinfo(("::1", 80, 0, 0), 0) == ("localhost", "80")
    assert socket.getnameinfo(("::1", 80, 0, 0), numeric) == ("::1", "80")
    assert socket.getnameinfo(("8.8.4.4", 80), 0) == ("8.8.4.4", "80")
    refused(socket.EAI_NONAME, socket.getnameinfo, ("8.8.4.4", 80), socket.NI_NAMEREQD)


def test_file_urls():
    with open("/tmp/file of url", "w") as file:
        file.write("x")
    for host in "", "localhost", "LOCALHOST", "127.0.0.1", socket.gethostname():
        with urllib.request.urlopen(f"file://{host}/tmp/file%20of%20url") as answer:
            assert answer.read() == b"x", host
    try:
        urllib.request.urlopen("file://example.com/tmp/file%20of%20url")
    except urllib.error.URLError:
        pass
    else:
        raise AssertionError
