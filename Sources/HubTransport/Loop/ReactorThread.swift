import CLinux
import Glibc

/// A thread of the system's own, for a reactor; never one of Swift's shared pool.
package struct ReactorThread: Sendable {
    private let thread: pthread_t

    private final class Start {
        let name: String
        let body: @Sendable () -> Void

        init(name: String, body: @escaping @Sendable () -> Void) {
            self.name = name
            self.body = body
        }
    }

    /// Starts a thread that runs `body` and ends; `name` (15 bytes are kept) shows in process lists.
    /// - Throws: `.system` when the system has no thread left.
    package init(
        name: String,
        _ body: @escaping @Sendable () -> Void
    ) throws(TransportError) {
        let start = unsafe Unmanaged.passRetained(Start(name: name, body: body))
        var thread = pthread_t()
        // The new thread takes over the reference; when there is none it is released here.
        let code = unsafe pthread_create(
            &thread,
            nil,
            { argument in
                guard let argument = unsafe argument else { return nil }
                let start = unsafe Unmanaged<Start>.fromOpaque(argument).takeRetainedValue()
                unsafe belfry_name_thread(start.name)
                start.body()
                return nil
            },
            start.toOpaque()
        )
        guard code == 0 else {
            unsafe start.release()
            throw .system("pthread_create", code: code)
        }
        self.thread = thread
    }

    /// Blocks until the thread has ended; call it once, from another thread.
    package func join() {
        _ = pthread_join(thread, nil)
    }

    /// Lets what the thread holds go when it ends; call it once, and `join` never.
    package func detach() {
        _ = pthread_detach(thread)
    }
}
