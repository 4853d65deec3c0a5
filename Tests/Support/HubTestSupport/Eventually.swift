import Dispatch

/// The time that a test gave to something has passed.
package struct Overdue: Error, CustomStringConvertible {
    /// What was awaited, and for how long.
    package let description: String

    init(_ expectation: String, _ limit: Duration) {
        description = "not within \(limit): \(expectation)"
    }
}

/// Looks again and again until there is a value, and returns it.
///
/// For conditions that tell no event; a test waits for an event where there is one. The pause leaves
/// the processor to those who bring the condition about.
/// - Throws: `Overdue` with the expectation, when the time has passed.
@discardableResult
package func eventually<Value>(
    _ expectation: @autoclosure () -> String,
    within limit: Duration = .seconds(60),
    every pause: Duration = .milliseconds(5),
    _ look: () async throws -> Value?
) async throws -> Value {
    let deadline = ContinuousClock.now + limit
    while true {
        if let value = try await look() { return value }
        guard ContinuousClock.now < deadline else { throw Overdue(expectation(), limit) }
        try await Task.sleep(for: pause)
    }
}

/// Looks again and again until a condition holds.
/// - Throws: `Overdue` with the expectation, when the time has passed.
package func eventually(
    _ expectation: @autoclosure () -> String,
    within limit: Duration = .seconds(60),
    every pause: Duration = .milliseconds(5),
    _ holds: () async throws -> Bool
) async throws {
    try await eventually(expectation(), within: limit, every: pause) {
        try await holds() ? true : nil
    }
}

/// Looks again and again until there is a value, and returns it; blocks the thread meanwhile.
/// - Throws: `Overdue` with the expectation, when the time has passed.
@discardableResult
package func eventually<Value>(
    blocking expectation: @autoclosure () -> String,
    within limit: Duration = .seconds(60),
    _ look: () throws -> Value?
) throws -> Value {
    let deadline = ContinuousClock.now + limit
    let clock = DispatchSemaphore(value: 0)
    while true {
        if let value = try look() { return value }
        guard ContinuousClock.now < deadline else { throw Overdue(expectation(), limit) }
        _ = clock.wait(timeout: .now() + .milliseconds(2))
    }
}

/// Looks again and again until a condition holds; blocks the thread meanwhile.
/// - Throws: `Overdue` with the expectation, when the time has passed.
package func eventually(
    blocking expectation: @autoclosure () -> String,
    within limit: Duration = .seconds(60),
    _ holds: () throws -> Bool
) throws {
    try eventually(blocking: expectation(), within: limit) { try holds() ? true : nil }
}
