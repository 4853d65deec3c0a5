/// Why the screen cannot be used.
enum TerminalFault: Error, Equatable, Sendable {
    /// Standard input is something else.
    case noTerminal
    /// Its mode cannot be changed.
    case noKeys
}

extension TerminalFault: CustomStringConvertible {
    /// One readable line.
    var description: String {
        switch self {
        case .noTerminal: "standard input is no terminal"
        case .noKeys: "the terminal cannot be read key by key"
        }
    }
}
