/// Writes forms; each carries the session's token.
struct Form {
    /// Where it is sent.
    let action: String
    /// The session's token.
    let token: String
    /// A word for the script alone; nil for none.
    var script: String?

    /// Writes the form with its fields.
    func write(to output: inout HTMLOutput, _ fields: (inout HTMLOutput) -> Void) {
        output.element(
            "form",
            ["method": "post", "action": action, "data-script": script ?? ""]
        ) {
            $0.void("input", ["type": "hidden", "name": "token", "value": token])
            fields(&$0)
        }
    }
}

extension HTMLOutput {
    /// A form that reads: its fields become the query.
    mutating func search(_ action: String, _ fields: (inout HTMLOutput) -> Void) {
        element("form", ["method": "get", "action": action, "class": "filter"], fields)
    }

    /// A field of one line with its label.
    mutating func field(
        _ label: String,
        _ name: String,
        value: String = "",
        type: String = "text",
        hint: String = ""
    ) {
        labelled(label, name, hint: hint) {
            $0.void(
                "input",
                [
                    "id": name, "name": name, "type": type, "value": value,
                    "autocomplete": "off", "spellcheck": "false",
                    "aria-describedby": hint.isEmpty ? "" : "\(name)-hint",
                ]
            )
        }
    }

    /// A field of several lines with its label.
    mutating func textField(_ label: String, _ name: String, value: String, hint: String = "") {
        labelled(label, name, hint: hint) {
            $0.element(
                "textarea",
                ["id": name, "name": name, "rows": "6", "spellcheck": "false"]
            ) {
                // A line feed right behind the tag is not part of the text.
                $0.text("\n" + value)
            }
        }
    }

    /// A choice with its label; the first value of each pair is sent.
    mutating func choice(
        _ label: String,
        _ name: String,
        _ options: [(value: String, label: String)],
        chosen: String
    ) {
        labelled(label, name, hint: "") {
            $0.element("select", ["id": name, "name": name]) { select in
                for option in options {
                    select.markup("<option value=\"")
                    select.text(option.value)
                    if option.value == chosen {
                        select.markup("\" selected>")
                    } else {
                        select.markup("\">")
                    }
                    select.text(option.label)
                    select.markup("</option>")
                }
            }
        }
    }

    /// A button; with an address it sends the form there.
    mutating func button(_ label: String, to address: String = "", isDangerous: Bool = false) {
        element(
            "button",
            ["formaction": address, "class": isDangerous ? "danger" : ""],
            text: label
        )
    }

    private mutating func labelled(
        _ label: String,
        _ name: String,
        hint: String,
        _ field: (inout HTMLOutput) -> Void
    ) {
        element("p", ["class": "field"]) {
            $0.element("label", ["for": name], text: label)
            field(&$0)
            if !hint.isEmpty {
                $0.element("small", ["id": "\(name)-hint"], text: hint)
            }
        }
    }
}
