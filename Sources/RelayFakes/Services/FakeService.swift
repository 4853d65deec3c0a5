package import HubVocabulary

/// The rules of one push service, as its documents state them.
package protocol FakeService: Sendable {
    /// Its name in the journal.
    var name: String { get }
    /// Streams of a connection before and after its first answer that is no refusal of the client.
    var streams: (first: Int, then: Int) { get }
    /// The handle that a request is for; empty when it is for none.
    func handle(_ request: FakeRequest) -> String
    /// The content as the device would get it.
    func text(_ request: FakeRequest) -> [UInt8]
    /// Judges a request.
    mutating func answer(_ request: FakeRequest, now: Timestamp) -> FakeAnswer
    /// An answer of the service's table by its word or status; nil for a word that is none.
    func answer(word: String, detail: String?) -> FakeAnswer?
}
