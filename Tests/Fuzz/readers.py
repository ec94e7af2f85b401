"""Four parsers of multipart forms that nobody here wrote, and how each of them reads a name.

A name is written as browsers write it, and readers differ about that: werkzeug alone turns `%22` back, each has
its own way with a backslash, Django takes a file's name apart, and aiohttp loses a name with two semicolons.
What each does to a name is said here once more. What a part contains is read equal by all."""

import asyncio
import html
import io
import os
import re
import warnings

import aiohttp
import django.conf
import python_multipart
from aiohttp.base_protocol import BaseProtocol
from django.core.files.uploadhandler import MemoryFileUploadHandler
from django.http.multipartparser import MultiPartParser
from werkzeug.formparser import FormDataParser
from werkzeug.http import parse_options_header

django.conf.settings.configure(
    FILE_UPLOAD_MAX_MEMORY_SIZE=1 << 30, DATA_UPLOAD_MAX_MEMORY_SIZE=1 << 30)


def unquoted(written):
    """A quoted string without the backslash of each pair."""
    return written.replace("\\\\", "\\")


class Werkzeug:
    """The parser of Flask."""

    title = "werkzeug"

    def read(self, body, kind):
        """The fields and the files of a form."""
        parser = FormDataParser(max_form_memory_size=None)
        kind, options = parse_options_header(kind)
        _, form, files = parser.parse(io.BytesIO(body), kind, len(body), options)
        fields = [(name, value) for name, value in form.items(multi=True)]
        return sorted(fields), sorted(
            (name, file.filename, file.read()) for name, file in files.items(multi=True))

    def name(self, written):
        """A name as it reads it."""
        return re.sub(r"\\(.)", r"\1", written, flags=re.DOTALL).replace("%22", '"')

    file_name = name


class PythonMultipart:
    """The parser of Starlette and FastAPI."""

    title = "python-multipart"

    def read(self, body, kind):
        """The fields and the files of a form."""
        fields, files = [], []

        def on_file(file):
            file.file_object.seek(0)
            files.append((file.field_name.decode(), file.file_name.decode(), file.file_object.read()))

        headers = {"Content-Type": kind, "Content-Length": str(len(body))}
        python_multipart.parse_form(
            headers, io.BytesIO(body),
            lambda field: fields.append((field.field_name.decode(), (field.value or b"").decode())),
            on_file)
        return sorted(fields), sorted(files)

    def name(self, written):
        """A name as it reads it."""
        return unquoted(written)

    def file_name(self, written):
        """A file's name: without the folders that an old browser sent."""
        name = unquoted(written)
        return name.split("\\")[-1] if name[1:3] == ":\\" or name[:2] == "\\\\" else name


class Django:
    """The parser of Django."""

    title = "Django"

    def read(self, body, kind):
        """The fields and the files of a form."""
        meta = {"CONTENT_TYPE": kind, "CONTENT_LENGTH": str(len(body))}
        post, files = MultiPartParser(meta, io.BytesIO(body), [MemoryFileUploadHandler()], "utf-8").parse()
        return (
            sorted((name, value) for name, values in post.lists() for value in values),
            sorted((name, f.name, f.read()) for name, found in files.lists() for f in found))

    def name(self, written):
        """A name as it reads it."""
        return unquoted(written).strip(" \t\n\r\v\f")

    def file_name(self, written):
        """A file's name: what follows the last slash, without characters that can't be printed."""
        name = html.unescape(unquoted(written)).rsplit("/")[-1].rsplit("\\")[-1]
        name = "".join(c for c in name if c.isprintable())
        if len(name) > 255:
            name, ending = os.path.splitext(name)
            name = name[: 255 - len(ending[:255])] + ending[:255]
        return name

    def loses(self, written):
        """Whether it loses a part of this name; after a large file without one, it refuses the form."""
        return self.name(written) == "" or self.file_name(written) in ("", ".", "..")


class AIOHTTP:
    """The parser of aiohttp."""

    title = "aiohttp"

    def read(self, body, kind):
        """The fields and the files of a form."""
        return asyncio.run(self.parse(body, kind))

    async def parse(self, body, kind):
        """The same, in an event loop."""
        loop = asyncio.get_running_loop()
        stream = aiohttp.StreamReader(BaseProtocol(loop), 1 << 30, loop=loop)
        stream.feed_data(body)
        stream.feed_eof()
        fields, files = [], []
        async for part in aiohttp.MultipartReader({"Content-Type": kind}, stream):
            if part.filename is None:
                fields.append((part.name, (await part.read()).decode()))
            else:
                files.append((part.name, part.filename, bytes(await part.read())))
        return sorted(fields), sorted(files)

    def name(self, written):
        """A name as it reads it."""
        return re.sub(r"\\([\x00-\x7f])", r"\1", written.lstrip("\\/"))

    file_name = name

    def loses(self, written):
        """Whether it loses a part of this name: it splits names at semicolons, and refuses controls."""
        return written.count(";") > 1 or any((c < " " and c != "\t") or c == "\x7f" for c in written)


# aiohttp warns of a name that it can't read.
warnings.simplefilter("ignore")
READERS = [Werkzeug(), PythonMultipart(), Django(), AIOHTTP()]
