import Foundation
import HubTestSupport

/// A TCP connection that says nothing.
final class PlainPeer: Sendable {
    private let process: Process

    /// Connects.
    init(port: Int) async throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/bash")
        process.arguments = ["-c", "exec 3<>/dev/tcp/127.0.0.1/\(port) && echo open && cat <&3"]
        let output = try Spawning.alone {
            let output = Pipe()
            process.standardOutput = output
            process.standardInput = FileHandle.nullDevice
            try process.run()
            return output
        }
        self.process = process
        // Its first line says that it is connected.
        _ = try await Blocking.run {
            Result { try output.fileHandleForReading.next() }
        }.get()
    }

    deinit { close() }

    /// Ends it.
    func close() { process.terminate() }
}
