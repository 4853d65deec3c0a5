import HubRelay
import NIOCore

/// Finds where a host's connections go, and refuses addresses that are not public.
///
/// Every address of a name is judged, after it was looked up and before anything is connected.
struct ServiceReach: Sendable {
    private let options: CarrierOptions

    /// Finds places by these options.
    init(_ options: CarrierOptions) { self.options = options }

    /// The addresses of a host, each of them allowed.
    ///
    /// - Throws: `.forbiddenAddress` when one of them is not.
    func addresses(host: String, port: Int) async throws(CarrierFailure) -> [SocketAddress] {
        do {
            if let place = options.places[host] {
                return [try SocketAddress(ipAddress: place.address, port: place.port)]
            }
        } catch { throw .unreachable("the place of \(host) is no numeric address") }
        let found =
            if let lookUp = options.lookUp {
                try await lookUp(host)
            } else {
                try await NameLookup.addresses(of: host)
            }
        guard options.privateHosts.contains(host) || found.allSatisfy(PublicAddress.isPublic) else {
            throw .forbiddenAddress(host)
        }
        do {
            return try found.map {
                try SocketAddress(packedIPAddress: ByteBuffer(bytes: $0), port: port)
            }
        } catch { throw .unreachable("an address of \(host) has no length of one") }
    }
}
