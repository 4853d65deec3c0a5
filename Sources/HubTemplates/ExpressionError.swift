/// A fault and its offset in the value.
struct ExpressionError: Error {
    var fault: TemplateFault
    var offset: Int
}
