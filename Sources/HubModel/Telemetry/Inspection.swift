import HubTags
package import HubVocabulary

/// A question of an operator about registrations or tags.
///
/// It is answered in parts of at most `CoreLimits.inspectedPerPart`, so that no question holds up
/// the hub's writer. The caller repeats it from where the part before ended. Changes between two
/// parts may or may not be seen.
package enum Inspection: Sendable {
    /// Tags that begin with `prefix` and lie behind `after`, both without ASCII case, in the order
    /// of their folded bytes; `limit` at most, those that come first.
    case tags(prefix: [UInt8], after: [UInt8], limit: Int, from: UInt32)
    /// The registrations above `from` that a notification of this kind would reach now, with up to
    /// `sample` of them.
    case audience(NotificationTarget, format: NotificationFormat?, sample: Int, from: UInt32)
}

/// The findings of one part of an inspection.
package enum Inspected: Sendable {
    /// Ascending by folded bytes.
    case tags([TagCount])
    case audience(InspectedAudience)
}
