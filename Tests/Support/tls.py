"""A certificate authority that lasts as long as the tests' servers, and a certificate by it."""

import os
import ssl

import trustme


class Authority:
    """Writes its certificate, and that of a server on the loopback, into a folder."""

    def __init__(self, folder):
        self.certificate = os.path.join(folder, "authority.pem")
        self.server = os.path.join(folder, "server.pem")
        authority = trustme.CA()
        authority.cert_pem.write_to_path(self.certificate)
        authority.issue_cert("127.0.0.1").private_key_and_cert_chain_pem.write_to_path(self.server)

    def client(self):
        """What a client needs that trusts this authority alone."""
        return ssl.create_default_context(cafile=self.certificate)

