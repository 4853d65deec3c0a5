package import HubConsole
package import HubTraces
package import HubTransport

/// Where and how REST is served.
package struct RESTOptions: Sendable {
    /// The address that is listened at.
    package var host = "127.0.0.1"
    /// 0 picks a free port.
    package var port = 8_443
    /// Balancers, which say in front of each connection for whom it is.
    package var proxies: [AddressBlock] = []
    /// Who may reach the console.
    package var console = ConsoleAccess.loopback
    /// Where traces of requests go.
    package var traces = TraceOptions()
    /// The cost of one connection at most.
    package var limits = RESTLimits()
}
