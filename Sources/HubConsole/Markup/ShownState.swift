/// How well something is, as marks and colours show it.
enum ShownState: String {
    case good
    case waiting
    case bad

    /// A shape that tells it without colour.
    var mark: String {
        switch self {
        case .good: "●"
        case .waiting: "◐"
        case .bad: "▲"
        }
    }
}
