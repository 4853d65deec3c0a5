import DeviceEmulator

extension PhoneApp {
    /// Closes the app in order, also when the task that runs it was cancelled.
    nonisolated func closeInOrder() async {
        await Task { await close() }.value
    }
}
