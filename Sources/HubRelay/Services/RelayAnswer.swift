package import HubVocabulary

/// A service's answer, as far as it is read: 64 KiB of body, names of headers in lower case.
package struct RelayAnswer: Sendable {
    /// Bytes of a body that are read at most.
    package static let bodyBytesMax = 65_536
    /// Seconds of a pause that are obeyed at most: a day.
    package static let retryAfterMax: UInt64 = 86_400
    /// Nesting of an answer's JSON at most.
    static let depthMax = 16

    /// The status.
    package var status: Int
    /// Its headers.
    package var headers: [(name: String, value: String)]
    /// Its content.
    package var body: [UInt8]

    /// Makes an answer.
    package init(status: Int, headers: [(name: String, value: String)] = [], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// The value of a header.
    package subscript(_ name: String) -> String? {
        headers.first { ASCII.equal($0.name.utf8, name.utf8) }?.value
    }

    /// Seconds of `Retry-After`, given as a number or a date; nil when it is neither.
    ///
    /// A date of the past and a number below zero count as 0.
    package func retryAfter(now: Timestamp) -> UInt64? {
        guard let text = self["retry-after"].map({ ASCII.trimmed(Array($0.utf8)) }) else {
            return nil
        }
        if let seconds = ASCII.decimal(text) { return min(seconds, Self.retryAfterMax) }
        if text.first == UInt8(ascii: "-"), ASCII.decimal(text.dropFirst()) != nil { return 0 }
        guard let time = Self.date(text) else { return nil }
        guard time > now else { return 0 }
        return min((time.milliseconds - now.milliseconds + 999) / 1_000, Self.retryAfterMax)
    }

    /// Seconds by which this machine's clock is behind the service's; nil without a date.
    package func clockBehindSeconds(now: Timestamp) -> Int64? {
        guard let text = self["date"], let time = Self.date(Array(text.utf8)) else { return nil }
        return (Int64(clamping: time.milliseconds) - Int64(clamping: now.milliseconds)) / 1_000
    }

    /// `Sun, 06 Nov 1994 08:49:37 GMT`, which is the only form that is sent (RFC 9110 §5.6.7).
    private static func date(_ text: [UInt8]) -> Timestamp? {
        let months = [
            "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
        ]
        let parts = text.split(separator: UInt8(ascii: " ")).map {
            String(decoding: $0, as: UTF8.self)
        }
        guard parts.count == 6, parts[5] == "GMT", parts[1].utf8.count == 2,
            let month = months.firstIndex(of: parts[2])
        else { return nil }
        let number = month < 9 ? "0\(month + 1)" : "\(month + 1)"
        let iso = "\(parts[3])-\(number)-\(parts[1])T\(parts[4])Z"
        guard case .time(let time)? = TimeText.parse(Array(iso.utf8).span) else { return nil }
        return time
    }
}
