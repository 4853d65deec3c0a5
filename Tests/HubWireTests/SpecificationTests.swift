import HubClient
import HubTestSupport
import HubWire
import Testing

/// Compares the tables of `Protocol` with the code, in both directions.
@Suite("Tables of Protocol")
struct SpecificationTests {
    static let specification =
        Vectors.text("Protocol/README.md") + "\n" + Vectors.text("Protocol/errors.md")

    private static let parcels = Vectors.text("Protocol/parcels.md")
    private static let templates = Vectors.text("Protocol/templates.md")

    /// The cells of table rows whose first cell passes.
    private static func rows(_ isWanted: (String) -> Bool) -> [[String]] {
        specification.split(separator: "\n").filter { $0.hasPrefix("| ") }.map { line in
            line.split(separator: "|").map { cell in
                String(cell.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
            }
        }.filter { $0.first.map(isWanted) ?? false }
    }

    private static func hex(_ value: some BinaryInteger, digits: Int) -> String {
        let text = String(value, radix: 16, uppercase: true)
        return "0x" + String(repeating: "0", count: digits - text.count) + text
    }

    @Test("every frame stands in the table, and nothing else")
    func frames() {
        let rows = Self.rows { $0.hasPrefix("0x") && $0.utf8.count == 4 }
        let written = rows.map { "\($0[0]) \($0[1])" }
        let coded = FrameType.allCases.map { "\(Self.hex($0.rawValue, digits: 2)) \($0.name)" }
        #expect(written == coded)
    }

    @Test("direction and sizes of the table are what the decoder enforces")
    func sizes() {
        for row in Self.rows({ $0.hasPrefix("0x") && $0.utf8.count == 4 }) {
            guard let type = UInt8(row[0].dropFirst(2), radix: 16), let least = Int(row[3]),
                let most = Int(row[4])
            else {
                Issue.record("unreadable row \(row)")
                continue
            }
            let direction: Direction = row[2] == "H" ? .hubToDevice : .deviceToHub
            let state: DecodingState =
                switch type {
                case FrameType.hello.rawValue: .waitHello
                case FrameType.welcome.rawValue: .waitWelcome
                default: .ready
                }
            let limits = WireLimits(maxFrame: 1 << 24)
            func number(_ direction: Direction, _ length: Int) -> ErrorNumber? {
                let low = (0..<4).map { UInt8(truncatingIfNeeded: length >> (24 - 8 * $0)) }
                let ref: UInt8 = row[5] == "request" ? 1 : 0
                let bytes = [type, 0, 0, ref] + low
                do throws(WireError) {
                    _ = try FrameDecoder.step(
                        bytes.span,
                        direction: direction,
                        state: state,
                        limits: limits
                    )
                    return nil
                } catch {
                    return error.number
                }
            }
            #expect(number(direction, least) == nil, "\(row)")
            #expect(number(direction, most) == nil, "\(row)")
            #expect(number(direction, most + 1) == .frameTooLarge, "\(row)")
            if least > 0 { #expect(number(direction, least - 1) == .badLength, "\(row)") }
            let other: Direction = direction == .hubToDevice ? .deviceToHub : .hubToDevice
            #expect(number(other, least) == (row[2] == "both" ? nil : .wrongDirection), "\(row)")
        }
    }

    @Test("every error stands in the table with its default, and nothing else")
    func errors() {
        let rows = Self.rows { $0.hasPrefix("0x") && $0.utf8.count == 6 }
        let written = rows.map { "\($0[0]) \($0[1]) \($0[2])" }
        let coded = ErrorNumber.allCases.map { number in
            let text = "\(Self.hex(number.rawValue, digits: 4)) \(number.name)"
            return text + (number.isFatal ? " fatal" : " not fatal")
        }
        #expect(written == coded)
    }

    @Test("our device comes back after each error as the table says. [E-4]")
    func comesBack() {
        for row in Self.rows({ $0.hasPrefix("0x") && $0.utf8.count == 6 }) {
            guard let code = UInt16(row[0].dropFirst(2), radix: 16) else { continue }
            func advice(hasOthers: Bool, aboutHello: Bool = false) -> Departure.Advice {
                let wait = Duration.seconds(7)
                return Departure.refused(
                    code: code,
                    aboutHello: aboutHello,
                    hasOtherCredentials: hasOthers,
                    retryAfter: wait
                ).advice
            }
            let again = Departure.Advice.backoff(least: .seconds(7))
            let isBound = row[5].contains("without them it stays")
            let stays = row[5] == "stays"
            #expect(stays || row[5].hasPrefix("again"), "\(row)")
            #expect(advice(hasOthers: true) == (stays ? .stay : again), "\(row)")
            #expect(advice(hasOthers: false) == (stays || isBound ? .stay : again), "\(row)")
            let isFinal = stays || code >> 8 == 0x01
            #expect(advice(hasOthers: true, aboutHello: true) == (isFinal ? .stay : again))
        }
    }

    @Test("every limit of the table is in force with its value, and no other limit is")
    func limits() {
        let rows = Self.rows { name in
            name.first?.isLowercase == true && name.allSatisfy { $0.isLetter }
                && name.contains { $0.isUppercase }
        }
        let written = rows.map { "\($0[0]) \($0[1])" }
        let inForce = Set(LimitsInForce.all.map { "\($0.name) \($0.value)" })
        #expect(written.sorted() == inForce.sorted())
        #expect(written.count > 50)
    }

    @Test("every limit that the link's code names is a row of the table")
    func namesOfLimits() {
        let known = Set(LimitsInForce.all.map(\.name))
        let source = Vectors.text("Sources/HubWire/WireLimits.swift")
        let coded = source.split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ")
            return words.count == 6 && words[1] == "static" ? String(words[3]) : nil
        }
        #expect(Set(coded).subtracting(known).sorted() == [])
        #expect(coded.count > 50)
    }

    @Test("every rule has one number, and every rule that is named exists")
    func rules() {
        var defined: [String] = []
        var named: Set<String> = []
        let text = [Self.specification, Self.parcels, Self.templates].joined(separator: "\n")
        for part in text.split(separator: "[").dropFirst() {
            guard let end = part.firstIndex(of: "]") else { continue }
            let label = String(part[..<end])
            let pieces = label.split(separator: "-")
            guard pieces.count == 2, pieces[0].count == 1, Int(pieces[1]) != nil else { continue }
            named.insert(label)
        }
        for part in text.split(separator: "**[").dropFirst() {
            guard let end = part.firstIndex(of: "]") else { continue }
            defined.append(String(part[..<end]))
        }
        #expect(Set(defined).count == defined.count)
        #expect(named.subtracting(defined).sorted() == [])
        #expect(defined.count > 50)
    }
}
