import Glibc
import NIOPosix

/// Looks a name up with the system's resolver, on a thread that may wait.
enum NameLookup {
    /// Every address of a name, 4 or 16 bytes each.
    ///
    /// - Throws: `.unreachable` when the name has none.
    static func addresses(of host: String) async throws(CarrierFailure) -> [[UInt8]] {
        let found: [[UInt8]]
        do {
            found = try await NIOThreadPool.singleton.runIfActive { lookUp(host) }
        } catch { throw .unreachable("the name \(host) was not looked up") }
        guard !found.isEmpty else { throw .unreachable("the name \(host) has no address") }
        return found
    }

    private static func lookUp(_ host: String) -> [[UInt8]] {
        var hints = unsafe addrinfo()
        unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var first: UnsafeMutablePointer<addrinfo>?
        // The list belongs to this function until it is freed below.
        guard unsafe getaddrinfo(host, nil, &hints, &first) == 0 else { return [] }
        defer { unsafe freeaddrinfo(first) }
        var found: [[UInt8]] = []
        var next = unsafe first
        while let entry = unsafe next {
            if let bytes = unsafe bytes(entry.pointee) { found.append(bytes) }
            unsafe next = entry.pointee.ai_next
        }
        return found
    }

    private static func bytes(_ entry: addrinfo) -> [UInt8]? {
        guard let address = unsafe entry.ai_addr else { return nil }
        // The family says which structure the resolver wrote at the address.
        switch unsafe entry.ai_family {
        case AF_INET:
            return unsafe address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { known in
                let number = UInt32(bigEndian: unsafe known.pointee.sin_addr.s_addr)
                return (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) }
            }
        case AF_INET6:
            return unsafe address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { known in
                unsafe withUnsafeBytes(of: known.pointee.sin6_addr) { unsafe Array($0) }
            }
        default: return nil
        }
    }
}
