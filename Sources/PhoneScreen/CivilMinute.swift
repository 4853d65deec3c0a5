import HubVocabulary

/// A date and time of day to the minute, of seconds since 1970 in the reader's own time.
struct CivilMinute: Equatable {
    private static let secondsOfDay: Int64 = 86_400

    /// Such as `2026-05-04`.
    let date: String
    /// Such as `09:12`.
    let time: String

    init(_ seconds: Int64) {
        let day = seconds >= 0 ? seconds / Self.secondsOfDay : (seconds + 1) / Self.secondsOfDay - 1
        let minutes = (seconds - day * Self.secondsOfDay) / 60
        time = Self.two(minutes / 60) + ":" + Self.two(minutes % 60)
        let (year, month, dayOfMonth) = TimeText.date(daysSince1970: Int(day))
        date = "\(year)-\(Self.two(Int64(month)))-\(Self.two(Int64(dayOfMonth)))"
    }

    /// Both.
    var text: String { "\(date) \(time)" }

    private static func two(_ number: Int64) -> String { (number < 10 ? "0" : "") + "\(number)" }
}
