package import HubVocabulary

/// A record without its body and its headers.
///
/// It decides which registrations the record reaches, and whether it is still worth sending.
package struct RecordHeader: Sendable {
    /// Its place.
    package var sequence: UInt64
    /// Its id, with the time of acceptance and the check value.
    package var id: NotificationID
    /// Which registrations it is for.
    package var format: NotificationFormat
    /// Whom it reaches.
    package var target: NotificationTarget
    /// Its time to live by the send's own word.
    package var timeToLive: TimeToLive
    /// At most 64 bytes; empty for none.
    package var collapseKey: [UInt8]

    /// Makes a header.
    package init(
        sequence: UInt64,
        id: NotificationID,
        format: NotificationFormat,
        target: NotificationTarget,
        timeToLive: TimeToLive,
        collapseKey: [UInt8]
    ) {
        self.sequence = sequence
        self.id = id
        self.format = format
        self.target = target
        self.timeToLive = timeToLive
        self.collapseKey = collapseKey
    }

    /// Whether it is delivered to live sessions only.
    package var isTransient: Bool { timeToLive == .transient }

    /// When it expires by the send's own word; a template may only shorten this.
    package var expires: Timestamp {
        switch timeToLive {
        case .transient: id.time
        case .seconds(let seconds): id.time.adding(seconds: UInt64(seconds))
        }
    }
}

extension NotificationRecord {
    /// The record without its body.
    package var header: RecordHeader {
        RecordHeader(
            sequence: sequence,
            id: id,
            format: draft.format,
            target: draft.target,
            timeToLive: draft.timeToLive,
            collapseKey: draft.collapseKey
        )
    }
}
