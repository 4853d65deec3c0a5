import NIOCore

/// One end of a spliced connection; both are on one loop.
///
/// It reads as long as the other end takes what it is given, so each direction holds two buffers.
final class SpliceEnd: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let onFirst: ((inout ByteBuffer) -> Bool)?
    private let opening: UInt64
    private var context: ChannelHandlerContext?
    private var partner: SpliceEnd?
    private var first: ByteBuffer?
    /// Whether the first bytes are enough to know for whom the connection is.
    private var isBegun = false
    private var deadline: Scheduled<Void>?
    /// Time for what was written before the other end closed.
    private static let leaving = TimeAmount.seconds(5)

    /// An end; `onFirst` is given the first bytes, until it says that they are enough, for so many
    /// milliseconds.
    init(onFirst: ((inout ByteBuffer) -> Bool)? = nil, opening: UInt64 = 0) {
        self.onFirst = onFirst
        self.opening = opening
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        guard onFirst != nil else { return }
        let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
        deadline = context.eventLoop.scheduleTask(in: .milliseconds(Int64(opening))) {
            bound.value.close(promise: nil)
        }
    }

    /// Before that a read would be forgotten.
    func channelActive(context: ChannelHandlerContext) {
        if onFirst != nil { context.read() }
        context.fireChannelActive()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        deadline?.cancel()
        self.context = nil
        partner = nil
    }

    /// Passes on from now on, in both directions.
    func join(_ other: SpliceEnd) {
        guard let context, let opposite = other.context, context.channel.isActive,
            opposite.channel.isActive
        else {
            self.context?.close(promise: nil)
            other.context?.close(promise: nil)
            return
        }
        (partner, other.partner) = (other, self)
        if let first { opposite.write(wrapOutboundOut(first), promise: nil) }
        first = nil
        opposite.flush()
        context.read()
        opposite.read()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if let partner {
            partner.context?.write(wrapOutboundOut(unwrapInboundIn(data)), promise: nil)
            return
        }
        var bytes = first ?? ByteBuffer()
        bytes.writeImmutableBuffer(unwrapInboundIn(data))
        isBegun = onFirst?(&bytes) ?? true
        first = bytes
        if isBegun { deadline?.cancel() }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        guard let opposite = partner?.context else {
            if !isBegun { context.read() }
            return
        }
        opposite.flush()
        if opposite.channel.isWritable { context.read() }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable { partner?.context?.read() }
        context.fireChannelWritabilityChanged()
    }

    func channelInactive(context: ChannelHandlerContext) {
        deadline?.cancel()
        if let partner, let opposite = partner.context {
            partner.partner = nil
            // Its last bytes may still be on their way.
            let last = opposite.writeAndFlush(wrapOutboundOut(ByteBuffer())).assumeIsolated()
            last.whenComplete { _ in opposite.close(promise: nil) }
            let bound = NIOLoopBound(opposite, eventLoop: opposite.eventLoop)
            opposite.eventLoop.scheduleTask(in: Self.leaving) { bound.value.close(promise: nil) }
        }
        partner = nil
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }
}
