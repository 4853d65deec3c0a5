import HubTransport
package import HubVocabulary

extension Instant {
    /// This moment, by the clock that events are stamped with.
    package static var now: Instant { Clock.now.instant }
}
