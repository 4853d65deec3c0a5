/// The parts that a reactor is made from; the same value may make several.
package struct ReactorConfiguration: Sendable {
    /// The listening side.
    package struct Server: Sendable {
        /// Opened for as many reactors as will be made.
        package let listeners: Listeners
        /// The certificate that devices are shown.
        package let tls: ServerTLS
        /// Who seals the records of accepted connections.
        package let sealing: RecordSealing
        /// How their bytes go to the kernel.
        package let submission: Submission
        /// Balancers, which say in front of each stream for whom it is.
        package let proxies: [AddressBlock]
        /// Believes nodes that pass devices on; nil where there are none.
        package let fronts: FrontTrust?

        /// A listening side.
        package init(
            listeners: Listeners,
            tls: ServerTLS,
            sealing: RecordSealing = .openSSL,
            submission: Submission = .send,
            proxies: [AddressBlock] = [],
            fronts: FrontTrust? = nil
        ) {
            self.listeners = listeners
            self.tls = tls
            self.sealing = sealing
            self.submission = submission
            self.proxies = proxies
            self.fronts = fronts
        }
    }

    /// Limits of each reactor.
    package var limits: TransportLimits
    /// Nil for a reactor that only connects.
    package var server: Server?

    /// A configuration.
    package init(limits: TransportLimits = .standard, server: Server? = nil) {
        self.limits = limits
        self.server = server
    }
}
