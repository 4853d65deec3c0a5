/// What is wrong with a property bag.
package typealias PropertyBagError = JSONTextError
