import HubTransport

/// A command of another thread to a loop.
enum LoopCommand: Sendable {
    case add([DeviceSetup])
    case register(Int, RegistrationChoice)
    case patchTags(Int, slot: UInt16, add: [String], remove: [String])
    case unregister(Int, slot: UInt16)
    case report(Int, UserReport)
    case taken(Int, through: UInt64)
    case reconnect(Int)
    case leaveAll
    case reconnectAll
    /// The addresses that the host's name stands for now; empty when it could not be resolved.
    case resolved([SocketAddress])
    case stop
}
