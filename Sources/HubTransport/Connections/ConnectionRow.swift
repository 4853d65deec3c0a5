import CLinux

/// The hot part of a connection's state.
struct ConnectionRow: ~Copyable {
    /// Where a connection is in its life.
    ///
    ///     connecting ─▶ handshaking ─▶ open ─▶ closing ─▶ lingering ─▶ dead ─▶ free
    ///                        └────────────────────▲ (alert)
    ///     and from every state to dead.
    enum Phase: UInt8 {
        /// The slot is not in use.
        case free
        /// A connection of ours that TCP has not decided.
        case connecting
        /// TLS is being agreed.
        case handshaking
        /// The handler knows it and may write.
        case open
        /// Last bytes are being sealed and sent; nothing is read but to throw it away.
        case closing
        /// All is sent; the peer's end of the stream is awaited, so that the kernel does not reset
        /// the stream and destroy what the peer has not read yet.
        case lingering
        /// Released at the end of the turn.
        case dead
    }

    /// Facts about a connection that the loop looks at often.
    struct Flags: OptionSet {
        let rawValue: UInt16

        /// Accepted by the listener, counted by `Admission`.
        static let accepted = Flags(rawValue: 1 << 0)
        /// `opened` was called.
        static let opened = Flags(rawValue: 1 << 1)
        /// The end was or will be told to the handler.
        static let announced = Flags(rawValue: 1 << 2)
        /// `Admission` counts it no more: it is authenticated, ours or gone.
        static let uncounted = Flags(rawValue: 1 << 3)
        /// Sealed bytes wait for the socket.
        static let blocked = Flags(rawValue: 1 << 4)
        /// The handler does not want bytes.
        static let paused = Flags(rawValue: 1 << 5)
        /// In the list of connections to seal at the end of the turn.
        static let dirty = Flags(rawValue: 1 << 6)
        /// A write was refused, so `writable` is owed.
        static let owesWritable = Flags(rawValue: 1 << 7)
        /// The current batch has an entry of it.
        static let inBatch = Flags(rawValue: 1 << 8)
        /// close_notify is to be sealed when closing.
        static let sealsNotice = Flags(rawValue: 1 << 9)
        /// Nothing will be sealed any more.
        static let sealed = Flags(rawValue: 1 << 10)
        /// An entry of it is in the queue of unread deadlines.
        static let inUnreadQueue = Flags(rawValue: 1 << 11)
        /// The handler is still to be told of the end.
        static let untold = Flags(rawValue: 1 << 12)
        /// The handler was or will be told that the sending key is nearly used up.
        static let worn = Flags(rawValue: 1 << 13)
        /// Nothing was read of it yet, and it may begin with a front's header.
        ///
        /// Keys are not worn before the handshake is over, so both share a bit.
        static let mayBeFront = worn
        /// The peer has ended its half of the stream while ours is still being sent.
        static let inputEnded = Flags(rawValue: 1 << 14)
        /// It comes from a balancer that has not said for whom.
        static let awaitsHeader = Flags(rawValue: 1 << 15)
    }

    var session = TLSSession()
    /// Only while there is something in it.
    var record: ConnectionRecord?
    /// Nanoseconds of the monotonic clock; 0 when none is in force.
    var deadline: UInt64 = 0
    var output = TurnOutput.Chain()
    var generation: UInt32 = 1
    var descriptor: Int32 = -1
    var flags = Flags()
    var phase = Phase.free
    /// The events the poller was asked for.
    var interest: UInt8 = 0

    /// The events that the poller is to be asked for; nil once nothing is watched.
    var wantedInterest: UInt32? {
        var wanted: UInt32 = flags.contains(.blocked) ? BELFRY_WRITABLE : 0
        switch phase {
        case .free, .dead: return nil
        case .connecting: return BELFRY_WRITABLE
        case .open: if !flags.contains(.paused) { wanted |= BELFRY_READABLE }
        case .handshaking, .closing, .lingering:
            // An ended stream stays readable for ever.
            if !flags.contains(.inputEnded) { wanted |= BELFRY_READABLE }
        }
        return wanted
    }
}
