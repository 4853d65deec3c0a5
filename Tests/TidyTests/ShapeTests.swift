import Testing

/// What files, folders and types are to each other; beside each rule a sample that it can fail.
@Suite("Shape")
struct ShapeTests {
    static let modules = Module.all

    /// Modules of sample files.
    static func modules(_ files: [String: String]) -> [Module] {
        Module.of(
            files.sorted { $0.key < $1.key }.map { name, text in
                SourceFile(name: "Sources/" + name + ".swift", text: text, language: .swift)
            }
        )
    }

    @Test("folders of a target stand on each other as its row says")
    func rooms() {
        let offences = Self.modules.flatMap { module in
            RoomRule.check(
                module,
                rooms: Rooms.rows[module.name],
                exceptions: Rooms.exceptions
            )
        }
        expectNone(Known.list.judge("rooms", offences))
        #expect(Rooms.exceptions.count <= 5)
        #expect(Set(Rooms.rows.keys).isSubset(of: Self.modules.map(\.name)))
    }

    @Test("the rule of rooms sees an arrow up, and a target without a row")
    func roomsCanFail() {
        let modules = Self.modules([
            "T/Low/A": "struct A { let text = \"B\" /* B */ }\nprivate struct C {}",
            "T/High/B": "struct B { let a: A; enum D {} }",
            "T/Low/E": "let b = B(), c: C, d: B.D",
        ])
        func check(_ rooms: [String]?, _ exceptions: [Rooms.Exception] = []) -> [String] {
            RoomRule.check(modules[0], rooms: rooms, exceptions: exceptions).map(\.place.message)
        }
        #expect(check(["Low", "High"]) == ["T: Low uses B of High, which stands above it"])
        #expect(check(["High", "Low"]) == ["T: High uses A of Low, which stands above it"])
        #expect(check(nil) == ["T: has folders that use each other"])
        let exception = Rooms.Exception(target: "T", from: "Low", to: "High", reason: "")
        #expect(check(["Low", "High"], [exception]) == [])
        #expect(check(nil, [exception]) == [#"T: has no row, which could be ["Low", "High"]"#])
        #expect(check(["Low"], [exception]) == ["T: 'High' is in its row or in the tree alone"])
    }

    @Test("no circle has more than ten files")
    func circles() {
        expectNone(Known.list.judge("circle", Self.modules.flatMap(RoomRule.circles)))
    }

    @Test("the rule of circles counts the files that can reach each other")
    func circlesCanFail() {
        func circle(_ count: Int) -> [Int] {
            let files = (0..<count).map {
                ("T/A\($0)", "struct A\($0) { let a: A\(($0 + 1) % count) }")
            }
            let others = [("T/B", "struct B { let a: A0 }")]
            let modules = Self.modules(Dictionary(uniqueKeysWithValues: files + others))
            return RoomRule.circles(modules[0]).map(\.amount)
        }
        #expect(circle(10) == [])
        #expect(circle(11) == [11])
    }

    @Test("what is known may shrink and not grow")
    func known() {
        func place(_ line: Int) -> Finding { Finding(file: "a", line: line, message: "b") }
        let known = Known(text: "# a rule\nsize A 20\nsize B\n")
        let worse = [
            Offence(key: "A", place: place(1), amount: 21), Offence(key: "B", place: place(2)),
        ]
        #expect(known.judge("size", worse) == [place(1)])
        let better = [Offence(key: "A", place: place(1), amount: 19)]
        #expect(
            known.judge("size", better).map(\.description) == [
                "Tests/known:3: size B: clean, remove it"
            ]
        )
        #expect(known.judge("other", worse) == [place(1), place(2)])
    }
}
