/// A client that the kit waits for, and how it is woken.
package struct ClientUnderTest: Sendable {
    let listener: KitSocket
    /// The certificate that it must trust.
    package let certificate: KitCertificate
    /// The port that the kit listens at.
    package let port: UInt16
    /// Milliseconds in which a client comes that was started or woken.
    package var patience = 60_000
    /// Makes a client come that stays away, as its app would.
    package var wake: @Sendable () -> Void = {}
    /// A test's change of the client's frames.
    package var change: FrameChange = { $0 }

    /// Listens, with a new certificate for names.
    package init(host: String, port: UInt16, names: [String]) throws(KitFault) {
        listener = try KitSocket.listen(host: host, port: port)
        self.port = listener.port
        certificate = try KitCertificate(names: names)
    }
}
