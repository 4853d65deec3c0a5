import Foundation
import HubTestSupport
import Synchronization

/// A TLS client that sends bytes as they are: `openssl s_client`, so that a test decides about every
/// byte and every silence.
final class TLSPeer: Sendable {
    private let process: Process
    private let input: FileHandle
    private let output: FileHandle
    private let received = Mutex(Data())

    /// Connects, trusting a server's authority and no other; `protocols` is offered by ALPN.
    init(
        port: Int,
        authority: String,
        protocols: String = "http/1.1",
        name: String = "localhost"
    ) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
        process.arguments = [
            "s_client", "-quiet", "-verify_quiet", "-verify_return_error", "-connect",
            "127.0.0.1:\(port)", "-servername", name, "-verify_hostname", name, "-alpn", protocols,
            "-CAfile", authority,
        ]
        let (input, output) = try Spawning.alone {
            let (input, output) = (Pipe(), Pipe())
            process.standardInput = input
            process.standardOutput = output
            process.standardError = FileHandle.nullDevice
            try process.run()
            return (input, output)
        }
        self.process = process
        self.input = input.fileHandleForWriting
        self.output = output.fileHandleForReading
    }

    deinit { process.terminate() }

    /// Sends text as it is.
    func send(_ text: String) throws { try input.write(contentsOf: Data(text.utf8)) }

    /// Everything received until it ends in `end`, or until the server closes.
    func read(until end: String) async -> String {
        await Blocking.run { self.blockingRead(until: end) }
    }

    private func blockingRead(until end: String) -> String {
        while true {
            let text = received.withLock { String(decoding: $0, as: UTF8.self) }
            if text.hasSuffix(end) { return text }
            // A server that says nothing for a minute has said all that a test waits for.
            guard let more = try? output.next(), !more.isEmpty else { return text }
            received.withLock { $0.append(more) }
        }
    }

    /// Everything until the server closes.
    func readAll() async -> String { await read(until: "\u{0}no text ends like this") }

    /// Forgets what was received.
    func forget() { received.withLock { $0 = Data() } }
}
