import Glibc

/// A TCP socket of the kit, closed with it; its calls never wait longer than they are told.
final class KitSocket: Sendable {
    /// An end of waiting for a socket.
    enum Readiness { case ready, late }

    private static let closeOnExec = Int32(SOCK_CLOEXEC.rawValue)

    let descriptor: Int32

    init(owning descriptor: Int32) {
        self.descriptor = descriptor
        var one: Int32 = 1
        let size = socklen_t(MemoryLayout<Int32>.size)
        // The call reads one integer, which outlives it.
        unsafe setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, size)
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    }

    deinit { close(descriptor) }

    /// Connects to the first address of a host that answers.
    static func connect(host: String, port: UInt16) throws(KitFault) -> KitSocket {
        for descriptor in try sockets(host: host, port: port, isPassive: false) {
            return KitSocket(owning: descriptor)
        }
        throw .setup("nothing listens at \(host):\(port)")
    }

    /// Listens at the first address of a host.
    static func listen(host: String, port: UInt16) throws(KitFault) -> KitSocket {
        for descriptor in try sockets(host: host, port: port, isPassive: true) {
            return KitSocket(owning: descriptor)
        }
        throw .setup("\(host):\(port) cannot be listened at: \(String(reason: errno))")
    }

    /// The port that the system gave a listener.
    var port: UInt16 {
        var address = sockaddr_storage()
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let descriptor = descriptor
        // The call writes at most `size` bytes. The port of both families is at the same place.
        return unsafe withUnsafeMutablePointer(to: &address) { storage in
            unsafe storage.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = unsafe getsockname(descriptor, $0, &size)
            }
            return unsafe storage.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                unsafe UInt16(bigEndian: $0.pointee.sin_port)
            }
        }
    }

    /// Takes the next client; nil when none comes in time.
    func accept(within milliseconds: Int) -> KitSocket? {
        let deadline = KitClock.milliseconds + milliseconds
        while wait(for: POLLIN, until: deadline) == .ready {
            // No address is asked for.
            let descriptor = Glibc.accept(descriptor, nil, nil)
            if descriptor >= 0 { return KitSocket(owning: descriptor) }
        }
        return nil
    }

    /// Waits until the socket has something to read, or takes something.
    func wait(for events: Int32, until deadline: Int) -> Readiness {
        while true {
            let left = deadline - KitClock.milliseconds
            guard left > 0 else { return .late }
            var entry = pollfd(fd: descriptor, events: Int16(events), revents: 0)
            // One entry, which the call fills.
            if unsafe poll(&entry, 1, Int32(clamping: left)) > 0 { return .ready }
        }
    }

    /// Sends plain bytes.
    func send(_ bytes: [UInt8]) {
        // The bytes are borrowed for the call.
        _ = unsafe Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }

    /// The plain bytes that come until the other side closes, or the time is over.
    func readToEnd(within milliseconds: Int) -> (bytes: [UInt8], isClosed: Bool) {
        let deadline = KitClock.milliseconds + milliseconds
        var all: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 4_096)
        while wait(for: POLLIN, until: deadline) == .ready {
            // The call writes at most what `part` has.
            let count = unsafe recv(descriptor, &part, part.count, 0)
            if count > 0 {
                all += part.prefix(count)
            } else if count == 0 || errno == ECONNRESET {
                return (all, true)
            }
        }
        return (all, false)
    }

    /// The descriptors of all addresses that could be connected to, or bound: at most one.
    private static func sockets(
        host: String,
        port: UInt16,
        isPassive: Bool
    ) throws(KitFault) -> [Int32] {
        var hints = unsafe addrinfo()
        unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        if isPassive { unsafe hints.ai_flags = AI_PASSIVE }
        var found: UnsafeMutablePointer<addrinfo>?
        // The list is the kit's until it is freed.
        guard unsafe getaddrinfo(host, "\(port)", &hints, &found) == 0, let first = unsafe found
        else { throw .setup("the name \(host) is unknown") }
        defer { unsafe freeaddrinfo(first) }
        var next: UnsafeMutablePointer<addrinfo>? = unsafe first
        while let entry = unsafe next {
            let info = unsafe entry.pointee
            let kind = unsafe info.ai_socktype | closeOnExec
            let descriptor = unsafe socket(info.ai_family, kind, 0)
            if descriptor >= 0 {
                if unsafe open(descriptor, info, isPassive: isPassive) { return [descriptor] }
                close(descriptor)
            }
            unsafe next = unsafe info.ai_next
        }
        return []
    }

    private static func open(_ descriptor: Int32, _ info: addrinfo, isPassive: Bool) -> Bool {
        // The address is that of the list, which is freed later.
        guard isPassive else {
            return unsafe Glibc.connect(descriptor, info.ai_addr, info.ai_addrlen) == 0
        }
        var one: Int32 = 1
        let size = socklen_t(MemoryLayout<Int32>.size)
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &one, size)
        return unsafe bind(descriptor, info.ai_addr, info.ai_addrlen) == 0
            && Glibc.listen(descriptor, 16) == 0
    }
}

extension String {
    /// The system's word for an error number.
    fileprivate init(reason code: Int32) {
        // The text is static or the thread's own, and copied.
        self = unsafe String(cString: strerror(code))
    }
}
