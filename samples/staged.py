"""Records the servers of a host's config where one of them belongs to a vendor: a demo server plays it on this machine.

It goes by the vendor's name, over TLS, with a certificate made for the occasion; `connect_to` leads the recorder there
(as `flowgen record --connect-to` does). So everything in the recording was really said, under the names it would have.
"""

import datetime
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from flowgen import api
from flowgen.trace import save

CONFIG, PLAN, SCENARIO = "mcp.json", "plan.toml", "tracker.toml"
VENDOR, ISSUER = "mcp.tracker.example", "auth.tracker.example"


def recorded(folder: Path) -> str:
    """The trace of `mcp.json` in a folder, as JSON; its servers are started there, too."""
    with TemporaryDirectory() as place, _standing_in(folder):
        certificate, ports = _certificate(Path(place)), (_free_port(), _free_port())
        with _played(certificate, ports):
            names = zip((VENDOR, ISSUER), ports, strict=True)
            recorder = api.recorder(
                config=CONFIG, script=PLAN, yes=True, browser="demo", cacert=str(certificate),
                connect_to=[f"{name}:443:127.0.0.1:{port}" for name, port in names],
            )  # fmt: skip
            recording = recorder.run()
        if recording.exit_code:
            raise SystemExit("\n".join(recording.verdict))
        file = Path(place, "trace.json")
        save(recording.document, str(file))
        return file.read_text(encoding="utf-8")


@contextmanager
def _standing_in(folder: Path) -> Iterator[None]:
    """In the folder, with `python` being the one that runs this."""
    before, path = Path.cwd(), os.environ.get("PATH", "")
    os.chdir(folder)
    os.environ["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), path])
    try:
        yield
    finally:
        os.chdir(before)
        os.environ["PATH"] = path


@contextmanager
def _played(certificate: Path, ports: tuple[int, int]) -> Iterator[None]:
    """The vendor's server and its authorization server, in a process of their own."""
    command = [
        sys.executable, "-P", "-m", "flowgen.demo", "--scenario", SCENARIO, "--http", str(ports[0]), "--auth",
        str(ports[1]), "--origin", f"https://{VENDOR}", "--auth-origin", f"https://{ISSUER}", "--certificate",
        str(certificate), "--until-eof",
    ]  # fmt: skip
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        if not process.stdout or not process.stdout.readline():
            raise SystemExit("the vendor's server did not start")
        try:
            yield
        finally:
            process.communicate(timeout=20)


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


def _certificate(place: Path) -> Path:
    """A certificate for both names that nobody but this recording trusts, and its key, in one PEM file."""
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "flowgen samples")])
    today, day = datetime.datetime.now(datetime.UTC), datetime.timedelta(days=1)
    hosts = x509.SubjectAlternativeName([x509.DNSName(VENDOR), x509.DNSName(ISSUER)])
    signed = (
        x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key()).serial_number(1)
        .not_valid_before(today - day).not_valid_after(today + day).add_extension(hosts, critical=False)
        .sign(key, hashes.SHA256())
    )  # fmt: skip
    pem, form = serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8
    file = place / "tracker.pem"
    file.write_bytes(signed.public_bytes(pem) + key.private_bytes(pem, form, serialization.NoEncryption()))
    return file
