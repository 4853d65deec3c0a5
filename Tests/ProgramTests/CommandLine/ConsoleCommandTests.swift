import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import Testing

@testable import ScenarioSupport

/// From the command to a session, over the relay and TLS.
@Suite("The console on the command line")
struct ConsoleCommandTests {
    /// A browser that keeps no cookies by itself.
    private struct Visitor {
        let client: HTTPClient
        let base: String

        func ask(
            _ method: HTTPMethod,
            _ path: String,
            _ headers: HTTPHeaders = [:],
            form: String? = nil
        ) async throws -> (status: UInt, headers: HTTPHeaders, body: String) {
            var request = HTTPClientRequest(url: base + path)
            request.method = method
            request.headers = headers
            if let form { request.body = .bytes(ByteBuffer(string: form)) }
            let answer = try await client.execute(request, timeout: .seconds(30))
            let body = try await answer.body.collect(upTo: 1_048_576)
            return (answer.status.code, answer.headers, String(buffer: body))
        }
    }

    @Test("the printed link signs in through the relay, and the audit has it")
    func signsIn() async throws {
        let hub = try await RunningHub.start()
        let data = ["--data", hub.folder.path]
        let console = try Program.belfry(["console", "--no-open", "--as", "mara"] + data)
        try await console.output.wait(for: "the link") { lines in !lines.isEmpty }
        let link = try #require(console.output.events.first?.split(separator: " ").first)
        let parts = link.split(separator: "#").map(String.init)
        let base = try #require(parts.first?.split(separator: "/$belfry").first).description
        var configuration = HTTPClient.Configuration()
        configuration.redirectConfiguration = .disallow
        let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        do {
            try await visit(Visitor(client: client, base: base), code: parts[1], of: hub)
        } catch {
            try await client.shutdown()
            throw error
        }
        try await client.shutdown()
        console.signal(SIGTERM)
        #expect(try await console.exitCode() == 0)
        let audit = try Program.belfry(["audit", "--json"] + data)
        #expect(try await audit.exitCode() == 0)
        let entries = audit.output.events.joined()
        #expect(entries.contains(#""operation":"console.signIn""#), "\(entries)")
        #expect(entries.contains(#""by":"mara""#), "\(entries)")
        #expect(try await hub.terminate() == 0)
    }

    private func visit(_ visitor: Visitor, code: String, of hub: RunningHub) async throws {
        let own: HTTPHeaders = [
            "Content-Type": "application/x-www-form-urlencoded", "Sec-Fetch-Site": "same-origin",
        ]
        let form = "code=\(code)"
        let path = "/$belfry/ui/sign-in"
        var foreign = own
        foreign.replaceOrAdd(name: "Sec-Fetch-Site", value: "same-site")
        #expect(try await visitor.ask(.POST, path, foreign, form: form).status == 403)
        var named = own
        named.add(name: "Host", value: "evil.example")
        #expect(try await visitor.ask(.POST, path, named, form: form).status == 421)
        let other = try await visitor.ask(.GET, "/hub")
        #expect(other.status == 404)
        #expect(other.headers.first(name: "X-Content-Type-Options") == "nosniff")
        #expect(other.headers.first(name: "Cache-Control") == "no-store")
        let door = try await visitor.ask(.GET, "/", ["Accept": "text/html"])
        #expect(door.status == 303 && door.headers.first(name: "Location") == "/$belfry/ui/")
        let signedIn = try await visitor.ask(.POST, path, own, form: form)
        #expect(signedIn.status == 303)
        let cookie = try #require(signedIn.headers.first(name: "Set-Cookie"))
        #expect(cookie.hasPrefix("belfry-relay=") && cookie.contains("; HttpOnly; SameSite=Lax"))
        #expect(!cookie.contains("Secure"))
        let value = cookie.prefix { $0 != ";" }.description
        let page = try await visitor.ask(.GET, "/$belfry/ui/h/hub/", ["Cookie": value])
        #expect(page.status == 200 && page.body.contains("<h1>Overview</h1>"), "\(page.body)")
        let file = hub.folder.path + "/console.json"
        let kept = try String(contentsOfFile: file, encoding: .utf8)
        #expect(kept.contains("mara") && !kept.contains(value.dropFirst("belfry-relay=".count)))
        let facts = try FileManager.default.attributesOfItem(atPath: file)
        #expect(facts[.posixPermissions] as? Int == 0o600)
    }
}
