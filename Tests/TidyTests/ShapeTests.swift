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
        expectNone(offences.map(\.place))
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
        expectNone(Self.modules.flatMap(RoomRule.circles).map(\.place))
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

    @Test("no type has more than 900 lines over all its extensions, or stores more than 16 values")
    func sizes() {
        expectNone(Self.modules.flatMap(ShapeRule.lines).map(\.place))
        expectNone(Self.modules.flatMap(ShapeRule.fields).map(\.place))
        #expect(ShapeRule.exceptions.count <= 6)
    }

    @Test("the rule of sizes adds up extensions, and knows what is stored")
    func sizesCanFail() {
        let half = String(repeating: "\n", count: 450)
        let long = Self.modules([
            "T/A": "struct A {\(half)}", "T/A+B": "extension A {\(half)}\nextension A.C { }",
        ])
        #expect(long.flatMap(ShapeRule.lines).map(\.amount) == [903])
        let sample = """
            struct A {
                static let a = 1
                let b, c: [Int: (Int, Int)], d = { 1 }()
                var e: Int { 1 }
                private(set) var f: Int? { didSet { let g = 1 } }
                func h() { var i = 1 }
                struct J { let k: (A) -> B<C, D> }
                lazy var l = M(n: 1)
            }
            """
        let file = SourceFile(name: "A", text: sample, language: .swift)
        let types = TypeDeclaration.all(in: file)
        #expect(types.map(\.name) == ["A", "A.J"])
        #expect(types.map(\.fields) == [["b", "c", "d", "f", "l"], ["k"]])
        #expect(types[0].constants == ["a"])
        let fields = (0..<17).map { "let a\($0): Int\n" }.joined()
        let wide = Self.modules(["T/A": "struct A { \(fields) }"])
        #expect(wide.flatMap(ShapeRule.fields).map(\.key) == ["A"])
    }

    @Test("a type that other files use stands in a file of its own name")
    func homes() {
        expectNone(ShapeRule.homes(Self.modules).map(\.place))
    }

    @Test("the rule of homes sees who uses a type of another file, also from other targets")
    func homesCanFail() {
        let modules = Self.modules([
            "T/A": "struct A {}\nstruct B {}\nstruct C {}\nprivate struct D {}\nextension E {}",
            "T/E": "struct E { let b: B; enum D {} }", "U/F": "import T\nlet c: C",
            "V/G": "let c: C",
        ])
        #expect(ShapeRule.homes(modules).map(\.key) == ["B", "C"])
    }

    @Test("a name stands for one type in all targets")
    func names() {
        expectNone(ShapeRule.names(Self.modules).map(\.place))
    }

    @Test("the rule of names sees a type that two targets declare")
    func namesCanFail() {
        let modules = Self.modules([
            "T/A": "struct A {}\nstruct B {}\nprivate struct C {}", "T/B": "struct D { enum A {} }",
            "U/A": "enum A {}\nextension B {}\nstruct C {}\nstruct E { struct D {} }",
        ])
        #expect(ShapeRule.names(modules).map(\.key) == ["A"])
    }

    @Test("a limit is read by code")
    func limits() {
        expectNone(LimitRule.unread(Self.modules).map(\.place))
    }

    @Test("the rule of limits sees one that is only declared, and one that is only set")
    func limitsCanFail() {
        let modules = Self.modules([
            "T/L":
                "struct ALimits { let a = 1, b = 2; var c = a }\nextension ALimits { static let d = 1 }",
            "T/M": "let limits: ALimits; limits.c = 1; if limits.b == 2 { f(.e) }",
        ])
        let names = LimitRule.unread(modules).map(\.key)
        #expect(names == ["ALimits.a", "ALimits.c", "ALimits.d"])
    }

    @Test("the rule of limits does not take a limit for another one of its name")
    func limitsOfOneName() {
        let modules = Self.modules([
            "T/A": "struct ALimits { let max = 1; struct In { let max = 2 }; let part = In() }",
            "T/B": "struct BLimits { let max = 1, least = 3; var span: Int { max - least } }",
            "T/C": "struct CLimits { let max = 1; static let standard = CLimits() }",
            "T/D": "struct D { let limits: BLimits; func e(_ all: ALimits) { all.part.max } }",
            "T/F": "extension D { func g() { limits.max; let own = CLimits(); own?.max } }",
            "T/H": "func h(_ text: Text, limits: ALimits = .standard) { text.max }",
        ])
        #expect(LimitRule.unread(modules).map(\.key) == ["ALimits.max"])
    }

    @Test("a 'try?' has a reason beside it")
    func silentTries() {
        let files = Repository.swift(below: "Sources")
        expectNone(files.flatMap(TextRule.silentTries).map(\.place))
    }

    @Test("the rule of 'try?' sees one without a comment")
    func silentTriesCanFail() {
        let sample =
            "let a = try? b\n\n// Why.\nlet c = try? d\n\ntry e(try? f)  // Why.\ntry g()\n"
        let file = SourceFile(name: "x/A.swift", text: sample, language: .swift)
        #expect(TextRule.silentTries(file).map(\.place.line) == [1])
    }
}
