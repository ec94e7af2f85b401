import Endpoints
import EndpointsMiddleware
import EndpointsStreams
import Foundation

/// Files of the matrix, which a case must not leave behind.
enum Scratch {
    static let directory: URL = {
        let memory = URL(fileURLWithPath: "/dev/shm")
        let isThere = FileManager.default.isWritableFile(atPath: memory.path)
        return (isThere ? memory : FileManager.default.temporaryDirectory)
            .appendingPathComponent("endpoints-matrix-\(ProcessInfo.processInfo.processIdentifier)")
    }()
    /// The file that requests send.
    static let upload = directory.appendingPathComponent("upload.bin")
    /// Where downloads are saved.
    static let downloads = directory.appendingPathComponent("downloads")

    static func make() throws {
        try FileManager.default.createDirectory(at: downloads, withIntermediateDirectories: true)
        try Data(repeating: 9, count: 5000).write(to: upload)
    }

    static func remove() {
        try? FileManager.default.removeItem(at: directory)
    }
}

/// How a load ended, in a few words.
private func words<Failure>(_ error: EndpointTaskError<Failure>) -> String {
    switch error {
    case .errorResponse(let httpResponse, let response):
        "error \(httpResponse.statusCode) \((response as? Problem)?.code ?? "?")"
    case .responseParseError: "unreadable"
    case .cancelled: "cancelled"
    case .urlLoadError(let error) where error.code == .timedOut: "timed out"
    case .urlLoadError(let error) where error.code == .networkConnectionLost: "lost"
    case .transportError(let error)
    where (error.cause as? SignInError)?.accountHasChanged == true:
        "other account"
    default: "\(error)"
    }
}

extension Cell {
    /// Loads and reads one response.
    func load(_ number: Int, by api: EndpointClient<ServerEnvironment>, _ clock: TransportClock)
        async -> String
    {
        await load(content, number, api, clock)
    }

    private func load<Sent: Content>(
        _ content: Sent.Type, _ number: Int, _ api: EndpointClient<ServerEnvironment>,
        _ clock: TransportClock
    ) async -> String {
        switch kind {
        case .whole:
            do throws(EndpointTaskError<Problem>) {
                return "value " + (try await api(LoadWhole<Sent>(number: number)).text)
            } catch { return words(error) }
        case .bytes:
            return await read(LoadBytes<Sent>(number: number), api) {
                String(decoding: $0, as: UTF8.self)
            } join: {
                $0.joined()
            }
        case .lines: return await read(LoadLines<Sent>(number: number), api) { $0 }
        case .values: return await read(LoadValues<Sent>(number: number), api) { $0.text }
        case .events:
            let stream: EventStream<Item>
            do throws(EndpointTaskError<Problem>) {
                stream = try await api(LoadEvents<Sent>(number: number))
                    .ending(at: "[DONE]").reconnecting(atMost: 10, clock: clock)
            } catch { return words(error) }
            return await read(stream) { $0.text }
        case .pages:
            var texts: [String] = []
            do throws(EndpointTaskError<Problem>) {
                var items = api.items(of: LoadPages<Sent>(number: number)).makeAsyncIterator()
                while let item = try await items.next() {
                    texts.append(item.text)
                    if ending == .left { return "left" }
                }
            } catch { return words(error) }
            return "value " + texts.joined(separator: " ")
        case .file: return await save(LoadBytes<Sent>(number: number), api, clock)
        case .download: return await download(LoadBytes<Sent>(number: number), api, clock)
        }
    }

    private func read<Request: MatrixRequest>(
        _ request: Request, _ api: EndpointClient<ServerEnvironment>,
        _ text: (Request.Response.Element) -> String,
        join: ([String]) -> String = { $0.joined(separator: " ") }
    ) async -> String
    where Request.Environment == ServerEnvironment, Request.Response: StreamedResponse {
        let stream: Request.Response
        do throws(EndpointTaskError<Problem>) { stream = try await api(request) } catch {
            return words(error)
        }
        return await read(stream, text, join: join)
    }

    private func read<Stream: StreamedResponse>(
        _ stream: Stream, _ text: (Stream.Element) -> String,
        join: ([String]) -> String = { $0.joined(separator: " ") }
    ) async -> String {
        if ending == .neverRead { return "not read" }
        var texts: [String] = []
        do {
            for try await element in stream {
                texts.append(text(element))
                if ending == .left { return "left" }
            }
        } catch {
            return (error as? StreamError).map(words) ?? "\(error)"
        }
        return "value " + join(texts)
    }

    private func save<Sent: Content>(
        _ request: LoadBytes<Sent>, _ api: EndpointClient<ServerEnvironment>,
        _ clock: TransportClock
    ) async -> String {
        let stream: ByteStream
        do throws(EndpointTaskError<Problem>) { stream = try await api(request) } catch {
            return words(error)
        }
        let file = Scratch.downloads.appendingPathComponent("\(request.number)")
        do throws(StreamError) {
            if ending == .left {
                var steps = stream.saving(to: file, clock: clock).makeAsyncIterator()
                _ = try await steps.next()
                return "left"
            }
            try await stream.save(to: file, clock: clock)
        } catch { return words(error) }
        return text(of: file)
    }

    private func download<Sent: Content>(
        _ request: LoadBytes<Sent>, _ api: EndpointClient<ServerEnvironment>,
        _ clock: TransportClock
    ) async -> String {
        let file = Scratch.downloads.appendingPathComponent("\(request.number)")
        do throws(EndpointTaskError<Problem>) {
            let download: FileDownload = api.download(
                request, to: file, lanes: 2, clock: clock)
            if ending == .left {
                var steps = download.makeAsyncIterator()
                _ = try await steps.next()
                return "left"
            }
            for try await _ in download {}
        } catch { return words(error) }
        return text(of: file)
    }

    private func text(of file: URL) -> String {
        "value " + ((try? String(contentsOf: file, encoding: .utf8)) ?? "no file")
    }
}
