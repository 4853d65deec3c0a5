import Foundation

/// The times within which 99 of 100 stayed in the last seconds, as the past of the server has them.
struct NewestLatencies: Decodable {
    static let path = "$belfry/history"

    /// The series that are asked for, in the order in which they are told.
    private static let series = [
        ("storedMilliseconds", "stored"), ("writtenMilliseconds", "written"),
        ("acknowledgedMilliseconds", "acknowledged"),
    ]

    private var series: [String: [Double?]]

    /// The fields of the question: the readings of the last seconds.
    static func fields(now: Date = Date()) -> KeyValuePairs<String, String?> {
        let since = now.addingTimeInterval(-10).formatted(.iso8601)
        return ["series": series.map(\.0).joined(separator: ","), "since": since]
    }

    /// One line; a dash where nothing happened.
    var line: String {
        let parts = Self.series.map { name, word in
            let newest = series[name]?.last.flatMap(\.self)
            return "\(word) \(newest.map { String(format: "%.1f ms", $0) } ?? "-")"
        }
        return "99 of 100 within: " + parts.joined(separator: ", ")
    }
}
