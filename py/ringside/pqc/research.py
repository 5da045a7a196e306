# SPDX-License-Identifier: Apache-2.0
"""NewHope-1024 and BLISS-BI, which accelerators are compared by. They are for research only, and say so before they do anything."""

from __future__ import annotations

from typing import Literal

from ..arguments import checks_arguments
from ..devices.calls import DeviceSet
from ..devices.cpu import CPU
from ..devices.device import AnyDevice
from ..errors import ParameterError
from ..native.library import (
    SEED_BYTES,
    BytesLike,
    CData,
    check,
    ffi,
    get_bytes,
    lib,
    request,
    secret_bytes,
    span,
    workspace,
)
from ..native.rng import Rng
from .buffers import given, public_memory
from .on_device import OnDevice

_CONSENT = b"research-only"
_HINT = "Pass research=True if that is what you want it for; {instead} is for anything real."
_PARSES = {"usenix": lib.RS_NEWHOPE_PARSE_USENIX, "5q": lib.RS_NEWHOPE_PARSE_5Q}
_STREAMS = {"chacha20": lib.RS_NEWHOPE_STREAM_CHACHA20, "shake256": lib.RS_NEWHOPE_STREAM_SHAKE256}


def _refuse(name: str, why: str, instead: str) -> ParameterError:
    return ParameterError("RS_ERR_CONSENT", f"{name} is for research only: {why}.", _HINT.format(instead=instead))


@checks_arguments
class NewHope(OnDevice):
    """NewHope-1024, a key exchange without authentication, as in the paper of USENIX Security 2016. For research only.

    It is meant for passive attackers and for secrets of one session: whoever chooses messages finds the secret of a server that uses it again, and
    nothing says who the other side is. So `research=True` has to be given. parse: the rule by which the polynomial a comes from its seed, "usenix"
    (14 bits, the paper) or "5q" (16 bits below 5q, later versions); both sides need the same. noise: what a side's noise is made of, which nobody
    sees: "chacha20", as in the reference implementation, or "shake256", which is all that cores have.

    device: where it computes, as of MLKEM; on a core noise is "shake256".

    server() makes a message of 1824 bytes and a secret, client() answers with 2048 bytes, and both sides have 32 shared bytes.
    Raises ParameterError without `research`, or for ChaCha20 on a core; DeviceError for a device that cannot; ArgumentError and InputError as MLKEM does.
    """

    name = "NewHope-1024"

    def __init__(
        self,
        research: bool = False,
        parse: Literal["usenix", "5q"] = "usenix",
        device: str = "cpu:",
        noise: Literal["chacha20", "shake256"] | None = None,
    ) -> None:
        if not research:
            raise _refuse(self.name, "it withstands passive attackers alone, and a secret may be used once", "MLKEM")
        self.server_bytes = int(lib.RS_NEWHOPE_SERVER_BYTES)
        self.client_bytes = int(lib.RS_NEWHOPE_CLIENT_BYTES)
        self.secret_bytes = int(lib.RS_NEWHOPE_SECRET_BYTES)
        self.shared_bytes = int(lib.RS_NEWHOPE_SHARED_BYTES)
        self.seed_bytes = int(lib.RS_NEWHOPE_SEED_BYTES)
        out = ffi.new("rs_newhope_t const **")
        self._tables = workspace(lib.rs_newhope_sizes().memory)
        on_cpu = device == CPU.name
        if noise == "chacha20" and not on_cpu:
            message = f"{device} has no ChaCha20."
            raise ParameterError("RS_ERR_OPTION", message, 'Leave `noise` out, or take "shake256".')
        stream = _STREAMS[noise or ("chacha20" if on_cpu else "shake256")]
        check(lib.rs_newhope_init(out, span(self._tables), _PARSES[parse], stream, _CONSENT))
        self._open(DeviceSet("newhope", _PARSES[parse], out[0]), device)

    @classmethod
    def _on(cls, device: AnyDevice) -> NewHope:
        """On a device that is open already."""
        scheme = cls(research=True, noise="shake256")
        scheme._move(device)
        return scheme

    def __repr__(self) -> str:
        return "NewHope(research=True)"

    def _seed(self, of: str, seed: BytesLike | None) -> tuple[CData | None, int]:
        """For _run."""
        size = self.seed_bytes
        return None if seed is None else given(f"NewHope.{of}", "seeds", seed, size, "a seed of NewHope-1024"), size

    def server(self, seeds: tuple[BytesLike, BytesLike] | None = None) -> tuple[bytes, bytes]:
        """The server's message and its secret, for one exchange.

        seeds: of the polynomial a and of the noise, 32 bytes each, for tests alone. InputError: another length.
        """
        message, secret = public_memory(self.server_bytes), secret_bytes(self.secret_bytes)
        a, noise = (self._seed("server", seed) for seed in seeds or (None, None))
        self._run("server", {}, {"message": message, "secret": secret}, {"seed": a, "noise_seed": noise})
        return get_bytes(message, self.server_bytes), get_bytes(secret, self.secret_bytes)

    def client(self, server_message: BytesLike, noise_seed: BytesLike | None = None) -> tuple[bytes, bytes]:
        """The client's answer and the shared key, (message, shared).

        noise_seed: 32 bytes, for tests alone. InputError: a wrong length. WireError: a coefficient of the message is not below 12289.
        """
        theirs = given("NewHope.client", "server_message", server_message, self.server_bytes, "a server's message")
        message, shared = public_memory(self.client_bytes), secret_bytes(self.shared_bytes)
        outputs, noise = {"message": message, "shared": shared}, self._seed("client", noise_seed)
        self._run("client", {"server_message": theirs}, outputs, {"noise_seed": noise})
        return get_bytes(message, self.client_bytes), get_bytes(shared, self.shared_bytes)

    def shared(self, secret: BytesLike, client_message: BytesLike) -> bytes:
        """The server's shared key. InputError: a wrong length. WireError: a coefficient of message or secret is not below 12289."""
        own = given("NewHope.shared", "secret", secret, self.secret_bytes, "a server's secret")
        theirs = given("NewHope.shared", "client_message", client_message, self.client_bytes, "a client's message")
        shared = secret_bytes(self.shared_bytes)
        self._run("shared", {"client_message": theirs, "secret": own}, {"shared": shared})
        return get_bytes(shared, self.shared_bytes)


@checks_arguments
class Bliss:
    """BLISS-BI, signatures with a bimodal Gaussian (CRYPTO 2013; ePrint 2014/874). For research only.

    Attackers have found whole keys of other implementations by caches, branches and power, so `research=True` has to be given. Here no branch and no
    address depends on the key or on the Gaussian, which says nothing about power or faults. Encodings are Ringside's own. Public keys have
    896 bytes, secret keys 1152, signatures 1050. Raises ParameterError without `research`; ArgumentError and InputError as MLDSA does.
    """

    name = "BLISS-BI"

    def __init__(self, research: bool = False) -> None:
        if not research:
            raise _refuse(self.name, "side channels have given away whole keys of its implementations", "MLDSA")
        self.pk_bytes = int(lib.RS_BLISS_PUBLIC_BYTES)
        self.sk_bytes = int(lib.RS_BLISS_SECRET_BYTES)
        self.signature_bytes = int(lib.RS_BLISS_SIGNATURE_BYTES)
        self.seed_bytes = SEED_BYTES
        out = ffi.new("rs_bliss_t const **")
        self._tables = workspace(lib.rs_bliss_sizes().memory)
        check(lib.rs_bliss_init(out, span(self._tables), _CONSENT))
        self._scheme: CData = out[0]

    def __repr__(self) -> str:
        return "Bliss(research=True)"

    def _request(self, call: str, seed: BytesLike | None, **members: object) -> CData:
        own = None if seed is None else given(f"Bliss.{call}", "seed", seed, self.seed_bytes, "a seed of BLISS-BI")
        members |= {"rng": Rng().pointer} if own is None else {"seed": own}
        members["workspace"] = secret_bytes(lib.rs_bliss_sizes().workspace)
        return request(f"rs_bliss_{call}_request_t", scheme=self._scheme, **members)

    def keygen(self, seed: BytesLike | None = None) -> tuple[bytes, bytes]:
        """A key pair (pk, sk). seed: 64 bytes, for tests alone. InputError: another length."""
        pk, sk = public_memory(self.pk_bytes), secret_bytes(self.sk_bytes)
        check(lib.rs_bliss_keygen(self._request("keygen", seed, public_key=pk, secret_key=sk)))
        return get_bytes(pk, self.pk_bytes), get_bytes(sk, self.sk_bytes)

    def sign(self, sk: BytesLike, message: BytesLike, seed: BytesLike | None = None) -> bytes:
        """A signature. seed: 64 bytes, for tests alone: two messages signed with one seed give the key away.

        InputError: a wrong length. SecretKeyError, WireError: `sk` is damaged.
        """
        key = given("Bliss.sign", "sk", sk, self.sk_bytes, "a secret key of BLISS-BI")
        signature = public_memory(self.signature_bytes)
        check(lib.rs_bliss_sign(self._request("sign", seed, secret_key=key, message=message, signature=signature)))
        return get_bytes(signature, self.signature_bytes)

    def verify(self, pk: BytesLike, message: BytesLike, signature: BytesLike) -> bool:
        """Whether a signature is the key's owner's, of this message. InputError: `pk` has another length. WireError: it is damaged."""
        key = given("Bliss.verify", "pk", pk, self.pk_bytes, "a public key of BLISS-BI")
        if memoryview(signature).nbytes != self.signature_bytes:
            return False
        room = secret_bytes(lib.rs_bliss_sizes().workspace)
        status = lib.rs_bliss_verify(self._scheme, span(signature), span(message), span(key), span(room))
        if status == lib.RS_ERR_SIGNATURE:
            return False
        check(status)
        return True
