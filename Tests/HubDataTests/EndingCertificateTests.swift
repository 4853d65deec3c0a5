import HubData
import HubVocabulary
import Testing

@Suite("A certificate that ends")
struct EndingCertificateTests {
    private static let end = Timestamp(milliseconds: 100 * 86_400_000)

    private func now(daysLeft: Double) -> Timestamp {
        Timestamp(milliseconds: UInt64(Double(Self.end.milliseconds) - daysLeft * 86_400_000))
    }

    @Test("is announced 30, 7 and 1 days before, once each")
    func steps() {
        var certificate = EndingCertificate()
        var told: [Int] = []
        for hours in stride(from: 40 * 24, through: 0, by: -1) {
            let time = now(daysLeft: Double(hours) / 24)
            if let days = certificate.due(end: Self.end, now: time) { told.append(days) }
        }
        #expect(told == [30, 7, 1])
        let late = Timestamp(milliseconds: Self.end.milliseconds + 1)
        #expect(certificate.due(end: Self.end, now: late) == nil)
    }

    @Test("is announced at once by a server that starts late, and anew after a renewal")
    func starts() {
        var certificate = EndingCertificate()
        #expect(certificate.due(end: Self.end, now: now(daysLeft: 3)) == 3)
        #expect(certificate.due(end: Self.end, now: now(daysLeft: 3)) == nil)
        let renewed = Timestamp(milliseconds: Self.end.milliseconds + 90 * 86_400_000)
        #expect(certificate.due(end: renewed, now: now(daysLeft: 3)) == nil)
        #expect(certificate.due(end: renewed, now: now(daysLeft: -63)) == 27)
    }
}
