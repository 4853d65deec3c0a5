import CLinux
import Glibc
package import HubVocabulary

/// An IP address and a port; IPv4 is held mapped into IPv6 (`::ffff:a.b.c.d`).
package struct SocketAddress: Hashable, Sendable {
    /// The first eight bytes of the address, the first byte highest.
    package let high: UInt64
    /// The last eight bytes of the address.
    package let low: UInt64
    /// The TCP port; 0 lets the kernel choose when listening.
    package let port: UInt16

    /// An address from its sixteen bytes as two numbers.
    package init(high: UInt64, low: UInt64, port: UInt16) {
        self.high = high
        self.low = low
        self.port = port
    }

    /// Parses a numeric address; never asks a resolver.
    /// - Throws: `.addressInvalid`.
    package init(numeric text: String, port: UInt16) throws(TransportError) {
        var native = belfry_endpoint()
        // The text lives for the call, and `native` is filled on success only.
        guard unsafe belfry_parse_address(text, &native) == 0 else {
            throw .addressInvalid(text)
        }
        self.init(high: native.high, low: native.low, port: port)
    }

    /// All addresses of a name or numeric text, in the resolver's order; blocks, so never call it
    /// on a reactor's thread.
    /// - Throws: `.hostUnknown`.
    package static func resolve(
        host: String,
        port: UInt16
    ) throws(TransportError) -> [SocketAddress] {
        var found = [belfry_endpoint](repeating: belfry_endpoint(), count: 16)
        // The resolver writes at most the count given with the array's storage.
        let count = unsafe found.withUnsafeMutableBufferPointer {
            unsafe belfry_resolve(host, $0.baseAddress, Int32($0.count))
        }
        guard count > 0 else { throw .hostUnknown(host, code: -count) }
        return found.prefix(Int(count)).map {
            SocketAddress(high: $0.high, low: $0.low, port: port)
        }
    }

    /// 127.0.0.0/8 or ::1.
    package var isLoopback: Bool {
        if isIPv4 { return low >> 24 & 0xFF == 127 }
        return high == 0 && low == 1
    }

    /// Whether this is an IPv4 address.
    package var isIPv4: Bool { high == 0 && low >> 32 == 0xFFFF }

    /// The address under which limits count it: an IPv4 address itself, of IPv6 the first 64 bits,
    /// which one customer gets.
    package var network: DeviceID { DeviceID(high: high, low: isIPv4 ? low : 0) }

    /// The address as the sixteen bytes of IPv6.
    package var bytes: [UInt8] {
        [high, low].flatMap { word in
            (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - 8 * UInt64($0))) }
        }
    }

    /// The numeric address without the port.
    package var host: String {
        var native = native
        var text = [UInt8](repeating: 0, count: 64)
        // 64 bytes hold any printed address with its final zero.
        let result = unsafe text.withUnsafeMutableBytes {
            unsafe belfry_print_address(&native, $0.baseAddress, $0.count)
        }
        guard result == 0 else { return "?" }
        return String(decoding: text.prefix { $0 != 0 }, as: UTF8.self)
    }

    /// The same address with another port.
    package func with(port: UInt16) -> SocketAddress {
        SocketAddress(high: high, low: low, port: port)
    }

    var native: belfry_endpoint { belfry_endpoint(high: high, low: low, port: port) }
}

extension SocketAddress: CustomStringConvertible {
    /// `host:port`, IPv6 in brackets.
    package var description: String { isIPv4 ? "\(host):\(port)" : "[\(host)]:\(port)" }
}
