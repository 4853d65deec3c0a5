import HubTestSupport
import HubVocabulary
import Testing

private func parse(_ text: String) -> TimeReading? {
    let bytes = Array(text.utf8)
    return TimeText.parse(bytes.span)
}

@Suite("Time texts")
struct TimeTextTests {
    @Test(
        "are read in every spelling that clients use",
        arguments: [
            ("2026-08-02T09:12:00Z", 1_785_661_920_000), ("2026-08-02T09:12:00", 1_785_661_920_000),
            ("2026-08-02t09:12:00z", 1_785_661_920_000),
            ("2026-08-02 09:12:00Z", 1_785_661_920_000),
            ("  2026-08-02T09:12:00Z\r\n", 1_785_661_920_000),
            ("2026-08-02T09:12:00.1Z", 1_785_661_920_100),
            ("2026-08-02T09:12:00.12", 1_785_661_920_120),
            ("2026-08-02T09:12:00.123Z", 1_785_661_920_123),
            ("2026-08-02T09:12:00.1239999Z", 1_785_661_920_123),
            ("2026-08-02T11:12+0200", 1_785_661_920_000),
            ("2026-08-02T11:12:00+02:00", 1_785_661_920_000),
            ("2026-08-02T07:42:00.000-01:30", 1_785_661_920_000),
            ("2026-08-02'T'09:12:00", 1_785_661_920_000),
            ("08/02/2026 09:12:00", 1_785_661_920_000),
            ("1970-01-01T00:00:00Z", 0), ("1970-01-01T00:00:00+01:00", 0),
            ("1969-12-31T23:59:59Z", 0), ("0002-01-01T00:00:00", 0),
            ("2000-02-29T00:00:00Z", 951_782_400_000), ("2100-03-01T00:00:00Z", 4_107_542_400_000),
            ("9999-12-31T23:59:59.9999999Z", 253_402_300_799_999),
        ] as [(String, UInt64)]
    )
    func formats(_ text: String, _ expected: UInt64) {
        #expect(parse(text) == .time(Timestamp(milliseconds: expected)), "\(text)")
    }

    @Test("of year 1 mean that no time was set")
    func unset() {
        #expect(parse("0001-01-01T00:00:00") == .unset)
        #expect(parse("01/01/0001 00:00:00") == .unset)
    }

    @Test(
        "that are no time are refused",
        arguments: [
            "", " ", "2026", "2026-08-02", "2026-08-02T", "2026-08-02T09", "2026-08-02T09:1",
            "2026-08-02T9:12:00Z", "2026-8-2T09:12:00Z", "26-08-02T09:12:00Z",
            "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z", "2026-02-29T00:00:00Z",
            "2100-02-29T00:00:00Z", "2026-04-31T00:00:00Z", "2026-08-00T00:00:00Z",
            "2026-08-02T24:00:00Z", "2026-08-02T09:60:00Z", "2026-08-02T09:12:60Z",
            "2026-08-02T09:12:00.Z", "2026-08-02T09:12:00.12345678Z", "2026-08-02T09:12:00ZZ",
            "2026-08-02T09:12:00 Z", "2026-08-02T09:12:00+2", "2026-08-02T09:12:00+24:00",
            "2026-08-02T09:12:00+02:60", "2026-08-02'T09:12:00", "0000-01-01T00:00:00Z",
            "08/02/2026", "08/02/2026 09:12", "08/02/26 09:12:00", "13/02/2026 09:12:00",
            "08/02/2026 09:12:00 PM", "2026-08-02T09:12:00Zx", "１９７０-01-01T00:00:00Z",
        ]
    )
    func refused(_ text: String) {
        #expect(parse(text) == nil, "\(text)")
    }

    @Test("are printed with three decimals and read back, on days of eight millennia")
    func roundTrip() {
        var random = SeededGenerator(seed: 3)
        var times: [UInt64] = [0, 1, 951_782_399_999, 253_402_300_799_999]
        for _ in 0..<500 { times.append(random.next() % 253_402_300_800_000) }
        for time in times {
            let text = TimeText.iso8601(Timestamp(milliseconds: time))
            #expect(text.utf8.count == 24, "\(text)")
            #expect(parse(text) == .time(Timestamp(milliseconds: time)), "\(text)")
        }
        #expect(
            TimeText.iso8601(Timestamp(milliseconds: 1_785_661_920_007))
                == "2026-08-02T09:12:00.007Z"
        )
        #expect(TimeText.iso8601(Timestamp(milliseconds: .max)) == "9999-12-31T23:59:59.999Z")
    }

    @Test("cut or with any byte replaced never trap")
    func damaged() {
        let good = Array("2026-08-02T09:12:00.123+02:00".utf8)
        for place in good.indices {
            let cut = Array(good[..<place])
            _ = TimeText.parse(cut.span)
            for byte in 0...255 as ClosedRange<UInt8> {
                var changed = good
                changed[place] = byte
                if case .time(let time) = TimeText.parse(changed.span) {
                    #expect(time.milliseconds < 253_402_387_200_000)
                }
            }
        }
    }
}
