import HubModel
import HubParcel
import HubVocabulary

/// A parcel that sessions get this turn.
struct TurnParcel {
    var parcel: Parcel
    var sequence: UInt64
    /// The check value of the record before it.
    var previousCheck: UInt32
    var platform: Platform
    /// Equal for equal collapse keys within a turn; 0 for none.
    var collapse: Int32
    /// When its record was durable.
    var durable: Instant
}

extension TurnParcel {
    /// Stands in a list for a match that is not sent.
    static let nothing = Parcel(
        bytes: [],
        expires: Timestamp(milliseconds: 0),
        isTransient: false
    )
}
