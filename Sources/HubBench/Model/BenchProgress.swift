/// Told what is going on, in readable lines.
package typealias BenchProgress = @Sendable (String) -> Void
