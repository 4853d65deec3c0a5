/// A PING that the hub has not answered.
struct AwaitedPong {
    var token: UInt32
    var deadline: MonotonicTime
}
