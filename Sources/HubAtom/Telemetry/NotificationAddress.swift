package import HubModel
package import HubVocabulary

/// How answers spell a notification, and how requests name one.
///
/// Source: REST §8.1.
package enum NotificationAddress {
    /// 32 hex digits, the time, the place in the log and a partition, which is always 1; the digits
    /// alone for what has no place yet.
    package static func text(_ id: NotificationID, _ sequence: UInt64) -> String {
        sequence == 0 ? id.text : text(id, sequence, time: CivilTime(id.time).compact)
    }

    /// The same with the time spelled already: of many, most share a second.
    package static func text(_ id: NotificationID, _ sequence: UInt64, time: String) -> String {
        "\(id.text)-\(time)-\(sequence)-1"
    }

    /// The notification that a part of a request names.
    ///
    /// - Throws: `.invalid` naming the part.
    package static func read(_ text: [UInt8], field: String) throws(Refusal) -> NotificationName {
        guard let name = NotificationName(parsing: text) else {
            throw .invalid(field: field, reason: "is no id of a notification.")
        }
        return name
    }
}
