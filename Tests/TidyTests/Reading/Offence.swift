/// What breaks a rule, and by how much.
struct Offence {
    /// The type, file or document.
    let key: String
    let place: Finding
    var amount = 1
}
