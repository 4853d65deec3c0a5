import Glibc
import NIOPosix
import Synchronization

/// Finds the addresses of names, each within a time.
///
/// The system's resolver may hang for minutes. It runs on threads of its own, so that it holds up
/// nothing else of the process. Requests for one name share one question.
final class NameLookup: Sendable {
    typealias Found = Result<[[UInt8]], CarrierFailure>

    /// The system's resolver.
    static let system = NameLookup { host in await resolved(host) }

    /// Names that are looked up at once at most; clients choose some of them.
    private static let namesMax = 256
    /// Threads that wait for the resolver.
    private static let threads = 4
    private static let pool: NIOThreadPool = {
        let pool = NIOThreadPool(numberOfThreads: threads)
        pool.start()
        return pool
    }()

    private struct State {
        /// Who waits for each name; a name without anyone is still being looked up.
        var waiting: [String: [UInt64: CheckedContinuation<Found, Never>]] = [:]
        var asked: UInt64 = 0
    }

    private let state = Mutex(State())
    private let ask: @Sendable (String) async -> Found

    /// Looks names up by a closure.
    init(_ ask: @escaping @Sendable (String) async -> Found) { self.ask = ask }

    /// Every address of a name, 4 or 16 bytes each.
    ///
    /// - Throws: `.unreachable` when the name has none, or when the time is over.
    func addresses(of host: String, within time: Duration) async throws(CarrierFailure)
        -> [[UInt8]]
    {
        try await withCheckedContinuation { (continuation: CheckedContinuation<Found, Never>) in
            wait(continuation, host, time)
        }.get()
    }

    private func wait(
        _ continuation: CheckedContinuation<Found, Never>,
        _ host: String,
        _ time: Duration
    ) {
        let place = state.withLock { state -> (number: UInt64, isFirst: Bool)? in
            let isFirst = state.waiting[host] == nil
            guard !isFirst || state.waiting.count < Self.namesMax else { return nil }
            state.asked += 1
            state.waiting[host, default: [:]][state.asked] = continuation
            return (state.asked, isFirst)
        }
        guard let place else {
            let failure = CarrierFailure.unreachable("too many names are being looked up")
            return continuation.resume(returning: .failure(failure))
        }
        if place.isFirst {
            Task {
                let found = await ask(host)
                let all = state.withLock { $0.waiting.removeValue(forKey: host) } ?? [:]
                for continuation in all.values { continuation.resume(returning: found) }
            }
        }
        Task {
            // Only a cancelled task sleeps less, and no one cancels this one.
            try? await Task.sleep(for: time)
            let late = state.withLock { $0.waiting[host]?.removeValue(forKey: place.number) }
            let failure = CarrierFailure.unreachable("the name \(host) was not found in \(time)")
            late?.resume(returning: .failure(failure))
        }
    }

    private static func resolved(_ host: String) async -> Found {
        // A pool that has ended belongs to a process that ends.
        let found = (try? await pool.runIfActive { lookUp(host) }) ?? []
        guard !found.isEmpty else {
            return .failure(.unreachable("the name \(host) has no address"))
        }
        return .success(found)
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
