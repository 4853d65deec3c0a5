/// One notification as an app has it.
struct AppEntry: Hashable {
    var high: UInt64
    var low: UInt64
    var slot: UInt16
}
