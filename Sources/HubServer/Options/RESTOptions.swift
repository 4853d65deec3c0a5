package import HubConsole
package import HubTraces

/// Where and how REST is served.
package struct RESTOptions: Sendable {
    /// The address that is listened at.
    package var host = "127.0.0.1"
    /// 0 picks a free port.
    package var port = 8_443
    /// Who may reach the console.
    package var console = ConsoleAccess.loopback
    /// Where traces of requests go.
    package var traces = TraceOptions()
    /// The cost of one connection at most.
    package var limits = RESTLimits()
}
