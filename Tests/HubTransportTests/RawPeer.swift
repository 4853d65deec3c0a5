import COpenSSL
import Foundation
import Glibc
import HubTestSupport
import HubTransport
import Testing

/// A blocking TCP socket without TLS, for peers that misbehave.
struct RawPeer: ~Copyable {
    let descriptor: Int32

    init(_ address: SocketAddress) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        try #require(descriptor >= 0)
        var limit = timeval(tv_sec: 60, tv_usec: 0)
        unsafe setsockopt(
            descriptor,
            SOL_SOCKET,
            SO_RCVTIMEO,
            &limit,
            socklen_t(MemoryLayout<timeval>.size)
        )
        var native = sockaddr_in()
        native.sin_family = sa_family_t(AF_INET)
        native.sin_port = address.port.bigEndian
        native.sin_addr.s_addr = UInt32(truncatingIfNeeded: address.low).bigEndian
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = descriptor
        let result = unsafe withUnsafePointer(to: &native) {
            unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe connect(descriptor, $0, size)
            }
        }
        try #require(result == 0, "errno \(errno)")
    }

    deinit { close(descriptor) }

    func send(_ bytes: [UInt8]) {
        _ = unsafe Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }

    func endWriting() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// What has arrived, as soon as there is something; nothing when that takes a minute.
    func readSome() -> [UInt8] {
        var part = [UInt8](repeating: 0, count: 4_096)
        let count = receive(&part)
        return Array(part.prefix(max(0, count)))
    }

    /// What `recv` says of the next bytes.
    ///
    /// A socket with a time limit does not go on by itself when the kernel has used its thread for
    /// something else, such as the end of a ring that was made there.
    private func receive(_ part: inout [UInt8]) -> Int {
        while true {
            let count = unsafe recv(descriptor, &part, part.count, 0)
            if count >= 0 || errno != EINTR { return count }
        }
    }

    /// Everything until the other side ends the stream; an issue when it does not in a minute.
    func readAll(location: SourceLocation = #_sourceLocation) -> [UInt8] {
        var all: [UInt8] = []
        // Large, and copied as a whole: this is code that no compiler has made fast.
        var part = [UInt8](repeating: 0, count: 1 << 18)
        while true {
            let count = receive(&part)
            if count > 0 {
                unsafe part.withUnsafeBufferPointer {
                    unsafe all.append(contentsOf: UnsafeBufferPointer(rebasing: $0[..<count]))
                }
                continue
            }
            if count < 0, errno != ECONNRESET {
                Issue.record("no end of stream, errno \(errno)", sourceLocation: location)
            }
            return all
        }
    }
}

/// A blocking TLS client made of OpenSSL's own calls, for what our client never does.
@safe struct PlainTLSClient: ~Copyable {
    private let socket: RawPeer
    private let context: OpaquePointer
    private let session: OpaquePointer

    /// Connects; `header` goes in front of TLS, in one piece or in as many as it has bytes.
    init(_ address: SocketAddress, behind header: [UInt8] = [], byteByByte: Bool = false) throws {
        let context = unsafe try #require(SSL_CTX_new(TLS_client_method()))
        let session = unsafe try #require(SSL_new(context))
        let offer: [UInt8] = [8] + Array("belfry/1".utf8)
        unsafe SSL_set_alpn_protos(session, offer, UInt32(offer.count))
        let socket = try RawPeer(address)
        let pieces = byteByByte ? header.map { [$0] } : [header]
        for piece in pieces where !piece.isEmpty { socket.send(piece) }
        unsafe SSL_set_fd(session, socket.descriptor)
        try #require(unsafe Self.whole(session) { unsafe SSL_connect(session) } == 1)
        unsafe self.context = context
        unsafe self.session = session
        self.socket = socket
    }

    /// What a call of the session says when nothing interrupts it, see `RawPeer.receive`.
    private static func whole(_ session: OpaquePointer, _ call: () -> Int32) -> Int32 {
        while true {
            errno = 0
            let result = call()
            guard result <= 0, errno == EINTR else { return result }
            // The session is alive as long as its owner.
            let error = unsafe SSL_get_error(session, result)
            guard error == SSL_ERROR_WANT_READ || error == SSL_ERROR_WANT_WRITE else {
                return result
            }
        }
    }

    deinit {
        unsafe SSL_free(session)
        unsafe SSL_CTX_free(context)
    }

    /// Changes our key with the next write, and asks for the other side's.
    func requestKeyUpdate() throws {
        try #require(unsafe SSL_key_update(session, SSL_KEY_UPDATE_REQUESTED) == 1)
    }

    func write(_ bytes: [UInt8]) throws {
        let written = unsafe Self.whole(session) {
            unsafe SSL_write(session, bytes, Int32(bytes.count))
        }
        try #require(written == Int32(bytes.count))
    }

    func read(_ count: Int) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let received = unsafe Self.whole(session) {
            unsafe SSL_read(session, &bytes, Int32(count))
        }
        try #require(received > 0)
        return Array(bytes.prefix(Int(received)))
    }

    /// Sends bytes outside of TLS.
    func breakStream() { socket.send([UInt8](repeating: 0x17, count: 100)) }
}

/// `openssl s_client`, another implementation of the device's side.
final class OpenSSLClient: Sendable {
    static let path = "/usr/bin/openssl"
    static var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: path) }

    private let process: Process
    private let input: Pipe
    private let output: Pipe

    init(_ address: SocketAddress, _ arguments: [String]) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/timeout")
        process.arguments = ["50", Self.path, "s_client", "-connect", "\(address)"] + arguments
        (input, output) = try Spawning.alone {
            let (input, output) = (Pipe(), Pipe())
            process.standardInput = input
            process.standardOutput = output
            process.standardError = output
            try process.run()
            return (input, output)
        }
        self.process = process
    }

    func type(_ text: String) throws {
        try input.fileHandleForWriting.write(contentsOf: Data(text.utf8))
    }

    /// What it printed until it ended, and how.
    func finish() throws -> (code: Int32, text: String) { try process.end(writing: output) }
}

/// A directory that goes with the test.
final class TemporaryDirectory {
    let path: String

    init() throws {
        path =
            FileManager.default.temporaryDirectory
            .appendingPathComponent("transport-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(
            atPath: path,
            withIntermediateDirectories: true
        )
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Writes a file and returns its path.
    func file(_ name: String, _ bytes: [UInt8]) throws -> String {
        let file = path + "/" + name
        try Data(bytes).write(to: URL(fileURLWithPath: file))
        return file
    }
}
