import Foundation
import Synchronization

/// The program that started this one and asked to hear how it does, as systemd does with
/// `Type=notify`.
struct ServiceManager: Sendable {
    /// States of sd_notify(3).
    enum State: String {
        case ready = "READY=1"
        case stopping = "STOPPING=1"
        case watchdog = "WATCHDOG=1"
    }

    /// A path, or an abstract name behind `@`.
    private let address: String
    /// Time within which it wants to hear of turns; nil when it does not watch.
    let watchdog: Duration?

    /// The most bytes of a socket's name, an end included.
    private static let addressBytesMax = MemoryLayout.size(ofValue: sockaddr_un().sun_path)

    /// Nil when no such program asked.
    ///
    /// - Parameter environment: `NOTIFY_SOCKET`, `WATCHDOG_USEC` and `WATCHDOG_PID` are read.
    init?(environment: [String: String] = ProcessInfo.processInfo.environment) {
        guard let address = environment["NOTIFY_SOCKET"], let first = address.first,
            "/@".contains(first), address.utf8.count < Self.addressBytesMax
        else { return nil }
        self.address = address
        let pid = environment["WATCHDOG_PID"].flatMap { Int32($0) }
        let isMeant = pid == nil || pid == ProcessInfo.processInfo.processIdentifier
        watchdog = environment["WATCHDOG_USEC"].flatMap { Int64($0) }
            .flatMap { isMeant && $0 > 0 ? .microseconds($0) : nil }
    }

    /// Says a state and, with it, a line for people.
    ///
    /// - Returns: Whether the datagram was taken. A manager that does not listen changes nothing here.
    @discardableResult
    func say(_ state: State, status: String? = nil) -> Bool {
        let text = state.rawValue + (status.map { "\nSTATUS=\($0)" } ?? "")
        let socket = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard socket >= 0 else { return false }
        defer { close(socket) }
        var path = Array(address.utf8)
        if path.first == UInt8(ascii: "@") { path[0] = 0 }
        var name = sockaddr_un()
        name.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &name.sun_path) { unsafe $0.copyBytes(from: path) }
        let length = MemoryLayout.size(ofValue: name.sun_family) + path.count
        let sent = unsafe withUnsafePointer(to: &name) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe sendto(
                    socket,
                    text,
                    text.utf8.count,
                    Int32(MSG_NOSIGNAL | MSG_DONTWAIT),
                    address,
                    socklen_t(length)
                )
            }
        }
        return sent == text.utf8.count
    }
}
