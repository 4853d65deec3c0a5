import HubModel
import HubVocabulary

/// When a send says that it expires.
///
/// Source: rules B.8, B.9, C.8; REST reference §8.4, §8.5.
enum SendExpiry: Hashable {
    /// Nothing is said.
    case none
    /// Delivered now or never.
    case now
    /// Seconds after acceptance, 1 or more.
    case seconds(UInt64)
    /// A time.
    case at(Timestamp)

    /// Reads the header or member that counts: Apple's, then WNS's, then FCM's.
    ///
    /// The time to live counts `from` there.
    init(
        of request: SendRequest,
        content: SendContent,
        format: NotificationFormat,
        from: Timestamp
    ) throws(Refusal) {
        self = .none
        if format.takes(.apple),
            let (header, value) = try request.first(of: [
                .appleExpiration, .goExpiration, .appleExpiry, .appleExpirySynonym,
            ])
        {
            guard let expiry = Self.apple(value) else {
                throw .invalid(
                    field: header.spelling,
                    reason: "is neither 0, seconds since 1970, nor a date and time"
                )
            }
            self = expiry
            if case .at(let time) = expiry, Self.isMonthFirst(value) {
                self = .at(Self.meant(time, from: from, isJava: Self.isJava(request)))
            }
            if expiry != .none { return }
        }
        if format.takes(.windows), let value = try request.value(of: .windowsTimeToLive) {
            guard let seconds = ASCII.decimal(value) else {
                throw .invalid(
                    field: SendHeader.windowsTimeToLive.spelling,
                    reason: "must be a number of seconds"
                )
            }
            self = seconds == 0 ? .now : .seconds(seconds)
        } else if let seconds = content.timeToLiveSeconds {
            self = seconds == 0 ? .now : .seconds(seconds)
        }
    }

    /// `apns-expiration` for devices, when the send said a time in any form: seconds since 1970.
    var appleSeconds: UInt64? {
        guard case .at(let time) = self else { return nil }
        return time.milliseconds / 1_000
    }

    /// Returns the time to live of the record, in whole seconds rounded up.
    ///
    /// Without an expiry that is the default, and it never exceeds the maximum. A time that has
    /// passed gives `.transient`.
    func timeToLive(now: Timestamp, limits: CoreLimits) -> TimeToLive {
        let seconds: UInt64
        switch self {
        case .none: seconds = UInt64(limits.sends.timeToLiveDefaultSeconds)
        case .now: return .transient
        case .seconds(let given): seconds = given
        case .at(let time):
            guard time > now else { return .transient }
            let left = time.milliseconds - now.milliseconds
            seconds = left / 1_000 + (left % 1_000 == 0 ? 0 : 1)
        }
        return .seconds(UInt32(min(seconds, UInt64(limits.sends.timeToLiveMaxSeconds))))
    }

    /// Seconds since 1970 or a time in any format; nil when it is neither.
    private static func apple(_ value: [UInt8]) -> SendExpiry? {
        if let seconds = ASCII.decimal(value) {
            return seconds == 0 ? .now : .at(Timestamp(milliseconds: 0).adding(seconds: seconds))
        }
        switch TimeText.parse(value.span) {
        case .unset: return SendExpiry.none
        case .time(let time): return .at(time)
        case nil: return nil
        }
    }

    // MARK: Twelve hours

    /// Whether a time has the form that Java's SDK writes with 12 hours and without their half,
    /// and .NET's with 24.
    private static func isMonthFirst(_ value: [UInt8]) -> Bool {
        value.count > 2 && value[2] == UInt8(ascii: "/")
    }

    /// Whether the request names Java's SDK as its origin.
    private static func isJava(_ request: SendRequest) -> Bool {
        request.headers.contains { header in
            ASCII.equal(header.name, "user-agent".utf8)
                && String(decoding: header.value, as: UTF8.self).contains("api-origin=JavaSDK")
        }
    }

    /// The time that a text means whose hour may lack its half of the day.
    ///
    /// The later half for Java's SDK, and for others when the earlier one has passed. Hour 0 exists in
    /// 24 hours alone, and 12 is read as noon, the later of both. See Decisions/HalfDays.
    private static func meant(_ time: Timestamp, from: Timestamp, isJava: Bool) -> Timestamp {
        let hour = time.milliseconds / 3_600_000 % 24
        guard (1...11).contains(hour), isJava || time <= from else { return time }
        return time.adding(seconds: 43_200)
    }
}
