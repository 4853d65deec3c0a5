import Testing

/// The patches of `Tests/Mutants`, which `make mutants` applies, fit the tree.
@Suite("Mutants")
struct MutantTests {
    @Test("each mistake applies and says who notices it")
    func patches() {
        let names = Repository.files.filter {
            $0.hasPrefix("Tests/Mutants/") && $0.hasSuffix(".patch")
        }
        #expect(names.count >= 20)
        expectNone(
            names.flatMap { name in
                MutantRule.check(Repository.document(name), named: name, text: Repository.text)
            }
        )
    }

    @Test("the rule of mistakes sees a patch that does not apply, and one without a witness")
    func patchesCanFail() {
        let patch = """
            A mistake.
            Noticed by: the simulator.

            --- a/A.swift
            +++ b/A.swift
            @@ -1,2 +1,2 @@
             let a = 1
            -let b = 2
            +let b = 3

            """
        func messages(_ patch: String, _ text: String) -> [String] {
            MutantRule.check(patch, named: "a.patch", text: { $0 == "A.swift" ? text : nil })
                .map { "\($0.line): \($0.message)" }
        }
        #expect(messages(patch, "let a = 1\nlet b = 2\n") == [])
        #expect(messages(patch, "let a = 1\nlet b = 4\n") == ["6: no longer applies"])
        #expect(
            messages("A mistake.\n", "") == [
                "1: nothing says who notices it", "1: changes nothing",
            ]
        )
    }
}
