import EndpointsMiddleware
import Foundation
import Testing

@testable import Endpoints

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Monitored loads of a session", .needsServers, .timeLimit(.minutes(1)))
struct MonitoredServerTests {
    struct Get: FlatRequest, Sendable {
        var status = 200
        static let endpoint = Endpoint<Self>(
            method: .get, path: "-/echo", parameters: [.query("status", path: \.status)])
        typealias Response = Data
    }

    struct GetRedirected: FlatRequest, Sendable {
        let to: String
        static let endpoint = Endpoint<Self>(
            method: .get, path: "-/redirect", parameters: [.query("to", path: \.to)])
        typealias Response = Data
    }

    /// The events, without the numbers of bytes and of ports, and those of a connection, which a
    /// session tells of only on Apple platforms.
    static func lines(of monitor: Monitor) -> [String] {
        monitor.lines.filter { !$0.hasPrefix("connection") }.map {
            $0.replacing(/finished [0-9]+/, with: "finished").replacing(/:[0-9]+/, with: "")
        }
    }

    @Test("The events of a response come in order", arguments: [200, 401, 404, 503])
    func response(status: Int) async throws {
        let monitor = Monitor()
        let transport = URLSession.shared.monitored { monitor.add($0) }
        _ = try? await transport.response(
            in: Server.recorder.environment, with: Get(status: status))
        await monitor.wait()
        #expect(Self.lines(of: monitor) == ["started", "sent", "\(status)", "finished"])
        let isTold = monitor.lines.contains { $0.hasPrefix("connection") }
        #if canImport(FoundationNetworking)
            #expect(!isTold)
        #else
            #expect(isTold)
        #endif
    }

    @Test("A redirect that a session follows is told with its response and the next request")
    func redirect() async throws {
        let (monitor, server) = (Monitor(), try Server.recorder.environment)
        let transport = URLSession.shared.monitored { monitor.add($0) }
        _ = try await transport.response(
            in: server, with: GetRedirected(to: "/-/echo?token=t0k3n"))
        await monitor.wait()
        #expect(
            Self.lines(of: monitor) == [
                "started", "sent", "302", "redirected to http://127.0.0.1/-/echo?token=…", "sent",
                "200", "finished",
            ])
        #expect(monitor.events.last?.url.hasSuffix("/-/echo?token=…") == true)
    }

    @Test("A server that can't be reached fails the load after it was sent")
    func unreachable() async throws {
        let monitor = Monitor()
        let transport = URLSession.shared.monitored { monitor.add($0) }
        let server = try ServerEnvironment(at: "http://127.0.0.1:9")
        _ = try? await transport.response(in: server, with: Get())
        await monitor.wait()
        #expect(Self.lines(of: monitor) == ["started", "sent", "failed -1004"])
    }

    @Test("A stream tells of its response while its body arrives, and of one end when it is left")
    func stream() async throws {
        let monitor = Monitor()
        let transport = URLSession.shared.monitored { monitor.add($0) }
        let server = try Server.recorder.environment
        var request = try TransportRequest(of: Get(), in: server)
        request.streamsResponse = true
        for try await _ in try await transport.send(request).body { break }
        await monitor.wait()
        #expect(monitor.lines.prefix(3) == ["started", "sent", "200"])
        #expect(monitor.lines.last?.hasPrefix("finished") == true)
        #expect(monitor.events.filter(\.isEnd).count == 1)
    }

    @Test("A load that is cancelled while it waits for its response is told as cancelled")
    func cancelled() async throws {
        let (monitor, load) = (Monitor(), Locked<Task<Void, Never>?>(nil))
        let server = try Server.faults.environment
        let transport = URLSession.shared.monitored { event in
            monitor.add(event)
            if case .sent = event.kind { load.withLock { $0 }?.cancel() }
        }
        load.withLock { load in
            load = Task { _ = try? await transport.response(in: server, with: Silent()) }
        }
        await monitor.wait()
        #expect(Self.lines(of: monitor) == ["started", "sent", "cancelled"])
    }

    struct Silent: FlatRequest {
        static let endpoint = Endpoint<Self>(method: .get, path: "no-response")
        typealias Response = Data
    }

    @Test("A monitor may make a task of the session in its function, at each step")
    func ownTask() async throws {
        let monitor = Monitor()
        let url = try Server.recorder.environment.baseUrl
        let transport = URLSession.shared.monitored { event in
            URLSession.shared.dataTask(with: url).resume()
            monitor.add(event)
        }
        let server = try Server.recorder.environment
        _ = try await transport.response(in: server, with: GetRedirected(to: "/-/echo"))
        await monitor.wait()
        #expect(Self.lines(of: monitor).last == "finished")
    }
}
