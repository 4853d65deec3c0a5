import HubRelay
import NIOCore

/// Finds where a host's connections go, and refuses addresses that are not public.
///
/// Every address of a name is judged, after it was looked up and before anything is connected.
struct ServiceReach: Sendable {
    private let options: CarrierOptions
    private let names: NameLookup

    /// Finds places by these options.
    init(_ options: CarrierOptions) {
        self.options = options
        names =
            options.lookUp.map { lookUp in
                NameLookup { host in
                    do throws(CarrierFailure) { return .success(try await lookUp(host)) } catch {
                        return .failure(error)
                    }
                }
            } ?? .system
    }

    /// The addresses of a host, each of them allowed.
    ///
    /// - Throws: `.forbiddenAddress` when one of them is not.
    func addresses(host: String, port: Int) async throws(CarrierFailure) -> [SocketAddress] {
        do {
            if let place = options.places[host] {
                return [try SocketAddress(ipAddress: place.address, port: place.port)]
            }
        } catch { throw .unreachable("the place of \(host) is no numeric address") }
        let found = try await names.addresses(of: host, within: options.times.connect)
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
