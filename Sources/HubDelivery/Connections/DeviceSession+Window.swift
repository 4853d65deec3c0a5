import HubVocabulary
import HubWire

extension DeviceSession {
    /// The device opens its window to a size, within the limits, or says what its app does.
    mutating func use(_ frame: WindowFrame, _ limits: SessionLimits) {
        window.resize(
            messagesMax: min(UInt32(frame.messages), limits.windowMessagesMax),
            bytesMax: min(frame.bytes, limits.windowBytesMax)
        )
        isDozing = frame.appState == AppState.doze
    }
}

/// The app's states in WINDOW.
///
/// Source: Protocol, WINDOW.
enum AppState {
    static let doze: UInt8 = 3
}
