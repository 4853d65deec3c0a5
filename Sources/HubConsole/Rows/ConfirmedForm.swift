/// A form whose effect needs a confirmation: before it, only the way to confirm is shown.
struct ConfirmedForm {
    /// Where it is sent.
    let action: String
    /// The page that it stands on.
    let page: String
    /// The operator's request.
    let visit: PageVisit
    /// A word for the script alone; nil for none.
    var script: String?

    /// Writes the form, or the link to the confirmation.
    func write(to output: inout HTMLOutput, _ fields: (inout HTMLOutput) -> Void) {
        guard visit.isFresh else {
            let address = PageAddress.server("confirm", query: ["back": page])
            return output.element("p") { $0.link(address, "Confirm first") }
        }
        Form(action: action, token: visit.formToken, script: script).write(to: &output, fields)
    }
}
