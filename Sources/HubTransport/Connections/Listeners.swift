import CLinux
import Glibc
import Synchronization

/// The listening sockets of one port, one for each reactor; the kernel spreads connections.
///
/// The first socket is bound alone, so a port held by another program is refused. Only then it is
/// opened for sharing with the others. Source: rules C.6. Sockets that no reactor took are closed
/// with the last reference.
package final class Listeners: Sendable {
    /// Where all of them listen, with the port the kernel chose if it was asked to.
    package let address: SocketAddress
    private let sockets: Mutex<[Int32]>

    /// Opens `count` listening sockets on one address.
    /// - Throws: `.portInUse`, `.portNotPermitted`, `.addressNotAvailable`, `.system`.
    package init(
        at address: SocketAddress,
        count: Int,
        limits: TransportLimits = .standard
    ) throws(TransportError) {
        precondition(count > 0, "a port needs at least one listener")
        var open: [Int32] = []
        var bound = address
        for index in 0..<count {
            do throws(TransportError) {
                open.append(try Self.listen(at: &bound, exclusive: index == 0, limits: limits))
            } catch {
                for descriptor in open { belfry_close(descriptor) }
                throw error
            }
        }
        self.address = bound
        sockets = Mutex(open)
    }

    deinit {
        sockets.withLock { for descriptor in $0 { belfry_close(descriptor) } }
    }

    /// Hands one socket to a reactor; nil when all are taken.
    func take() -> Int32? {
        sockets.withLock { $0.popLast() }
    }

    private static func listen(
        at address: inout SocketAddress,
        exclusive: Bool,
        limits: TransportLimits
    ) throws(TransportError) -> Int32 {
        var wanted = address.native
        var bound = belfry_endpoint()
        var options = belfry_stream_options(limits)
        // All three are values of this frame that the call reads or fills.
        let result = unsafe belfry_listen(
            &wanted,
            exclusive ? 1 : 0,
            limits.backlog,
            &options,
            &bound
        )
        if result >= 0 {
            address = SocketAddress(high: bound.high, low: bound.low, port: bound.port)
            return result
        }
        switch -result {
        case EADDRINUSE: throw .portInUse(address.port)
        case EACCES, EPERM: throw .portNotPermitted(address.port)
        case EADDRNOTAVAIL: throw .addressNotAvailable(address.host)
        default: throw .system("listen", code: -result)
        }
    }
}

extension belfry_stream_options {
    init(_ limits: TransportLimits) {
        self.init(
            user_timeout_milliseconds: limits.timers.userTimeoutMilliseconds,
            unsent_bytes: limits.kernelUnsentBytes
        )
    }
}
