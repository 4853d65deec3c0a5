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
        // Years that begin in March have their odd day at the end; eras have 400 of them.
        let shifted = day + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra =
            (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let month = (5 * dayOfYear + 2) / 153
        let monthOfYear = month < 10 ? month + 3 : month - 9
        let year = yearOfEra + era * 400 + (monthOfYear <= 2 ? 1 : 0)
        let dayOfMonth = dayOfYear - (153 * month + 2) / 5 + 1
        date = "\(year)-\(Self.two(monthOfYear))-\(Self.two(dayOfMonth))"
    }

    /// Both.
    var text: String { "\(date) \(time)" }

    private static func two(_ number: Int64) -> String { (number < 10 ? "0" : "") + "\(number)" }
}
