/// Which way a number should go.
package enum BenchAim: String, Codable, Equatable, Sendable {
    /// Costs and times.
    case less
    /// Rates.
    case more
    /// Says under which circumstances the others were measured.
    case neither
}
