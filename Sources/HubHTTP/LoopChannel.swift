package import HummingbirdCore
package import Logging
package import NIOCore

/// An HTTP channel that runs the tasks of a connection on the connection's event loop.
///
/// On threads of their own a request costs four changes of threads more: to its task, to each
/// child task, back from the hub's writer, and back to the loop. In return nothing that a request
/// awaits may block its thread.
package struct LoopChannel<Base: HTTPChannelHandler>: HTTPChannelHandler {
    private let base: Base

    /// Serves what `base` serves.
    package init(_ base: Base) { self.base = base }

    /// The code that answers requests.
    package var responder: Responder { base.responder }

    /// Prepares a connection.
    package func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Base.Value> {
        base.setup(channel: channel, logger: logger)
    }

    /// Serves a connection until its end.
    package func handle(value: Base.Value, logger: Logger) async {
        await withTaskExecutorPreference(LoopExecutor.of(value.channel.eventLoop)) {
            await base.handle(value: value, logger: logger)
        }
    }
}
