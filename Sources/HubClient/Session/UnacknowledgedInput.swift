/// Entries and bytes that a device has taken and not acknowledged.
struct UnacknowledgedInput {
    var entries = 0
    var bytes = 0
}
