import CLinux
import Glibc

/// The listening socket, and when it is asked again after descriptors ran out.
struct Acceptor {
    /// The answer of the socket to the question for a connection.
    enum Waiting {
        case connection(Int32, from: SocketAddress)
        /// The waiting connection itself had failed.
        case failed
        case nothing
        /// The process has no descriptor or memory left.
        case shortage
    }

    /// -1 for a reactor that accepts no connections.
    private var socket: Int32 = -1
    /// When the socket is asked again; nil while it is.
    private(set) var resumesAt: UInt64?

    /// Takes over a listening socket; false when the kernel does not watch it.
    mutating func begin(with socket: Int32, in poller: borrowing Poller) -> Bool {
        self.socket = socket
        return poller.add(socket, interest: BELFRY_READABLE, token: PollToken.listener)
    }

    /// Takes a waiting connection.
    func next() -> Waiting {
        guard socket >= 0 else { return .nothing }
        var peer = belfry_endpoint()
        // The value lives in this frame and is filled on success only.
        let descriptor = unsafe belfry_accept(socket, &peer)
        if descriptor >= 0 {
            let address = SocketAddress(high: peer.high, low: peer.low, port: peer.port)
            return .connection(descriptor, from: address)
        }
        switch -descriptor {
        case EAGAIN: return .nothing
        case EMFILE, ENFILE, ENOBUFS, ENOMEM: return .shortage
        default: return .failed
        }
    }

    /// Does not ask for a while: the socket would be ready again at once.
    mutating func pause(until nanoseconds: UInt64, in poller: borrowing Poller) {
        poller.remove(socket)
        resumesAt = nanoseconds
    }

    /// Asks again when the pause is over, or later when the kernel refuses that.
    mutating func resume(at now: UInt64, orAt later: UInt64, in poller: borrowing Poller) {
        guard let due = resumesAt, due <= now, socket >= 0 else { return }
        let isAsked = poller.add(socket, interest: BELFRY_READABLE, token: PollToken.listener)
        resumesAt = isAsked ? nil : later
    }

    /// Accepts no more connections.
    mutating func end() {
        guard socket >= 0 else { return }
        belfry_close(socket)
        socket = -1
        resumesAt = nil
    }
}
