extension MIMEType {
    /// The media type for a file name's extension; `application/octet-stream` if none is known.
    ///
    ///     photo.JPG   ->  image/jpeg
    ///     a.tar.gz    ->  application/gzip
    ///     README      ->  application/octet-stream
    init(fileName: String) {
        let parts = fileName.split(at: .dot, outsideQuotes: false)
        let known = parts.count > 1 ? Self.types[parts[parts.count - 1].lowercased()] : nil
        self = known ?? .octetStream
    }

    private static let types: [String: MIMEType] = [
        "aac": "audio/aac", "avif": "image/avif", "bmp": "image/bmp", "css": "text/css",
        "csv": .csv, "doc": "application/msword",
        "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        "epub": "application/epub+zip", "gif": "image/gif", "gz": "application/gzip",
        "heic": "image/heic", "heif": "image/heif", "htm": .html, "html": .html,
        "ics": "text/calendar", "jpeg": .jpeg, "jpg": .jpeg, "js": "text/javascript",
        "json": .json, "jsonl": .jsonLines, "m4a": "audio/mp4", "m4v": "video/x-m4v",
        "md": "text/markdown", "mov": "video/quicktime", "mp3": "audio/mpeg", "mp4": "video/mp4",
        "mpeg": "video/mpeg", "odt": "application/vnd.oasis.opendocument.text",
        "ogg": "audio/ogg", "otf": "font/otf", "pdf": .pdf, "png": .png,
        "ppt": "application/vnd.ms-powerpoint",
        "pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
        "rtf": "application/rtf", "svg": "image/svg+xml", "tar": "application/x-tar",
        "tif": "image/tiff", "tiff": "image/tiff", "ttf": "font/ttf", "txt": "text/plain",
        "vcf": "text/vcard", "wav": "audio/wav", "weba": "audio/webm", "webm": "video/webm",
        "webp": "image/webp", "woff": "font/woff", "woff2": "font/woff2",
        "xls": "application/vnd.ms-excel",
        "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        "xml": .xml, "zip": "application/zip",
    ]
}
