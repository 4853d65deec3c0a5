/// Where the device of `belfry bench drain` remembers.
package enum BenchStore: String, CaseIterable, Sendable {
    /// A file of its own.
    case file
    /// A SQLite database.
    case database
}
