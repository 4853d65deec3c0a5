import Foundation
import HubTestSupport
import Testing

/// TLS in front of a PostgreSQL, for one connection, whose records are as large as TLS allows;
/// PostgreSQL's own have 8 KB.
final class TLSFront {
    /// On 127.0.0.1.
    let port: Int
    private let folder: String
    private let process = Process()

    private static let program = """
        import select, socket, ssl, sys
        target, certificate, key = sys.argv[1:]
        listener = socket.create_server(("127.0.0.1", 0))
        print(listener.getsockname()[1], flush=True)
        plain, _ = listener.accept()
        plain.recv(8, socket.MSG_WAITALL)
        plain.sendall(b"S")
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        client = context.wrap_socket(plain, server_side=True)
        server = socket.socket(socket.AF_UNIX)
        server.connect(target)
        held = b""
        while True:
            ready, _, _ = select.select([client, server], [], [], 0.01 if held else None)
            if client in ready or client.pending():
                received = client.recv(65536)
                if not received: break
                server.sendall(received)
            if server in ready: held += server.recv(65536)
            while held and (len(held) >= 16384 or server not in ready):
                client.sendall(held[:16384])
                held = held[16384:]
        """

    init(of server: TemporaryPostgres) throws {
        folder = try Self.makeFolder()
        let files = try Self.makeCertificate(for: "DNS:localhost", in: folder)
        let socket = "\(server.folder)/.s.PGSQL.\(server.port)"
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3", "-c", Self.program, socket, files.certificate, files.key]
        let process = process
        let output = try Spawning.alone {
            let output = Pipe()
            process.standardOutput = output
            process.standardInput = FileHandle.nullDevice
            try process.run()
            return output
        }
        let line = String(decoding: try output.fileHandleForReading.next(), as: UTF8.self)
        port = try #require(Int(line.trimmingCharacters(in: .newlines)))
    }

    deinit {
        process.terminate()
        // What is left goes with the machine's temporary files.
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// A new folder that the server may enter too.
    static func makeFolder() throws -> String {
        let folder = FileManager.default.temporaryDirectory.path + "/tls-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: folder,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o755]
        )
        return folder
    }

    /// Makes a key that PostgreSQL may read, and a certificate of it.
    static func makeCertificate(
        for name: String,
        in folder: String
    ) throws -> (key: String, certificate: String) {
        let (key, certificate) = (folder + "/key.pem", folder + "/certificate.pem")
        try Tool.certificate("database", names: name, key: key, in: certificate)
        if geteuid() == 0 {
            try FileManager.default.setAttributes(
                [.ownerAccountName: "postgres"],
                ofItemAtPath: key
            )
        }
        return (key, certificate)
    }
}
