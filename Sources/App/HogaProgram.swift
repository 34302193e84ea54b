@main
struct HogaProgram {
    static func main() {}
}
