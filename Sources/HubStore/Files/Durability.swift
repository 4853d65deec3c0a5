/// The end that the commits of a file survive.
package enum Durability: Sendable {
    /// The loss of power: nothing else holds what was committed.
    case durable
    /// The end of the process: after a loss of power the last commits may be missing, and are read
    /// again from the database whose copy the file is.
    case cache

    /// SQLite's level, as it is set and as it is read back.
    var synchronous: (word: String, level: Int) {
        switch self {
        case .durable: ("FULL", 2)
        case .cache: ("NORMAL", 1)
        }
    }
}
