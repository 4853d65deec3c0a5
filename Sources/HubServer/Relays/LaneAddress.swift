/// One lane from its opening to its end: answers to an earlier lane of the same name are not its.
///
/// Two lanes of one name make equal tickets for the same record and registration. So an answer to the
/// first could end a request of the second.
struct LaneAddress: Hashable, Sendable {
    let name: LaneName
    /// Which of the lanes with this name, counted by the thread.
    let life: UInt64
}
