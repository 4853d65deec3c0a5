/// A look at a port for devices, as far as TLS goes.
package enum LinkProbe {
    /// The program that listens there.
    package enum Answer: Sendable {
        /// A hub with a certificate that is trusted here.
        case hub
        /// None in time.
        case none
        /// TLS of another certificate, or without the protocol of devices.
        case stranger
    }

    /// Connects, and ends the connection after the handshake; blocks meanwhile.
    ///
    /// `authorities` are PEM certificates to trust; nil trusts the system's.
    package static func answer(
        host: String,
        port: UInt16,
        authorities: [UInt8]?
    ) -> Answer {
        do throws(KitFault) {
            let socket = try KitSocket.connect(host: host, port: port)
            do throws(KitFault) {
                let link = try KitTLS.connect(over: socket, trusting: authorities, name: host)
                return link?.hasProtocol == true ? .hub : .stranger
            } catch {
                return .stranger
            }
        } catch {
            return .none
        }
    }
}
