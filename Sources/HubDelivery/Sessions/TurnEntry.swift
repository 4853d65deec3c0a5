/// One delivery of a turn, in a list by session.
struct TurnEntry {
    /// The turn's number of its parcel.
    var parcel: Int32
    var next = OptionalIndex()
    var slot: UInt16
}
