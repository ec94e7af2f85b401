"""Runs app.py by an ASGI server: `asgi.py uvicorn|hypercorn CERTIFICATE HTTP-PORT IDLE-PORT TLS-PORT`."""

import asyncio
import sys

from app import app


async def uvicorn(certificate, http, idle, tls):
    """Three servers of one process."""
    from uvicorn import Config, Server

    usual = {"host": "127.0.0.1", "log_level": "critical", "lifespan": "off", "timeout_keep_alive": 60}
    configurations = [
        Config(app, port=http, **usual), Config(app, port=idle, **{**usual, "timeout_keep_alive": 1}),
        Config(app, port=tls, ssl_certfile=certificate, **usual),
    ]
    await asyncio.gather(*[Server(configuration).serve() for configuration in configurations])


async def hypercorn(certificate, http, idle, tls):
    """Three servers of one process."""
    from hypercorn.asyncio import serve
    from hypercorn.config import Config

    def configuration(port, idle=60, certificate=None):
        made = Config()
        made.bind, made.keep_alive_timeout, made.errorlog, made.loglevel = [f"127.0.0.1:{port}"], idle, None, "CRITICAL"
        made.certfile = made.keyfile = certificate
        return made

    forever = asyncio.Event()
    await asyncio.gather(*[
        serve(app, one, shutdown_trigger=forever.wait)
        for one in (configuration(http), configuration(idle, 1), configuration(tls, certificate=certificate))])


name, certificate, *ports = sys.argv[1:]
asyncio.run({"uvicorn": uvicorn, "hypercorn": hypercorn}[name](certificate, *map(int, ports)))
