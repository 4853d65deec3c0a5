import HubData
import HubRelayLink
import HubTransport

extension RelayOptions {
    /// Reads where push services stand, when they are stand-ins on this machine.
    ///
    /// - Throws: `.brokenFile` for an address that other machines have: credentials would go there.
    mutating func read(_ reader: SettingsReader) throws(ServerError) {
        if let authority = reader.string("relay.authority") { carrier.trust = .file(authority) }
        for part in reader.string("relay.places")?.split(separator: ",") ?? [] {
            let sides = part.split(separator: "=")
            guard sides.count == 2, let colon = sides[1].lastIndex(of: ":"),
                let port = UInt16(sides[1][sides[1].index(after: colon)...])
            else {
                throw .brokenFile(
                    path: "relay.places",
                    reason: "'\(part)' is not HOST=ADDRESS:PORT"
                )
            }
            let address = sides[1][..<colon].filter { $0 != "[" && $0 != "]" && $0 != " " }
            do throws(TransportError) {
                guard try SocketAddress(numeric: address, port: port).isLoopback else {
                    throw TransportError.addressInvalid(address)
                }
            } catch {
                throw .brokenFile(
                    path: "relay.places",
                    reason: "'\(address)' is no address of this machine"
                )
            }
            let host = sides[0].filter { $0 != " " }.lowercased()
            carrier.places[host] = CarrierOptions.Place(address: address, port: Int(port))
        }
    }

    /// The file of authorities that stand-ins are trusted by; empty without one.
    var authority: String {
        switch carrier.trust {
        case .system: ""
        case .file(let path): path
        }
    }

    /// Where push services stand, as the setting spells it.
    var places: String {
        carrier.places.sorted { $0.key < $1.key }.map { host, place in
            let address = place.address.contains(":") ? "[\(place.address)]" : place.address
            return "\(host)=\(address):\(place.port)"
        }
        .joined(separator: ",")
    }
}
