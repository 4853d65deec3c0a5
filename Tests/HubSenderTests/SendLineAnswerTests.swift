@testable import HubSender
import Testing

@Suite("The answer to one line")
struct SendLineAnswerTests {
    @Test("keeps the hub's word that it does not know what became of a notification")
    func outcome() throws {
        let text = """
            {"line":1,"status":503,"code":50300,"detail":"a","outcome":"unknown"}
            {"line":2,"status":503,"code":50300,"detail":"b"}

            """
        let follows = try SendLineAnswer.read(text, count: 2).map { answer -> Bool? in
            guard case .failure(.refused(let refused)) = answer.result(trackingID: "t") else {
                return nil
            }
            return refused.followsUnanswered
        }
        #expect(follows == [true, false])
    }
}
