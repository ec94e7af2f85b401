import Endpoints
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

struct Hundred: FlatRequest, Decodable {
    let p0, p1, p2, p3, p4, p5, p6, p7, p8, p9, p10, p11, p12, p13, p14, p15, p16, p17, p18,
        p19: String
    let p20, p21, p22, p23, p24, p25, p26, p27, p28, p29, p30, p31, p32, p33, p34, p35, p36, p37,
        p38, p39: String
    let p40, p41, p42, p43, p44, p45, p46, p47, p48, p49, p50, p51, p52, p53, p54, p55, p56, p57,
        p58, p59: String
    let p60, p61, p62, p63, p64, p65, p66, p67, p68, p69, p70, p71, p72, p73, p74, p75, p76, p77,
        p78, p79: String
    let p80, p81, p82, p83, p84, p85, p86, p87, p88, p89, p90, p91, p92, p93, p94, p95, p96, p97,
        p98, p99: String

    static let endpoint = Endpoint<Hundred>(
        method: .get, path: "hundred",
        parameters: [
            .query("p0", path: \.p0), .query("p1", path: \.p1), .query("p2", path: \.p2),
            .query("p3", path: \.p3), .query("p4", path: \.p4), .query("p5", path: \.p5),
            .query("p6", path: \.p6), .query("p7", path: \.p7), .query("p8", path: \.p8),
            .query("p9", path: \.p9), .query("p10", path: \.p10), .query("p11", path: \.p11),
            .query("p12", path: \.p12), .query("p13", path: \.p13), .query("p14", path: \.p14),
            .query("p15", path: \.p15), .query("p16", path: \.p16), .query("p17", path: \.p17),
            .query("p18", path: \.p18), .query("p19", path: \.p19), .query("p20", path: \.p20),
            .query("p21", path: \.p21), .query("p22", path: \.p22), .query("p23", path: \.p23),
            .query("p24", path: \.p24), .query("p25", path: \.p25), .query("p26", path: \.p26),
            .query("p27", path: \.p27), .query("p28", path: \.p28), .query("p29", path: \.p29),
            .query("p30", path: \.p30), .query("p31", path: \.p31), .query("p32", path: \.p32),
            .query("p33", path: \.p33), .query("p34", path: \.p34), .query("p35", path: \.p35),
            .query("p36", path: \.p36), .query("p37", path: \.p37), .query("p38", path: \.p38),
            .query("p39", path: \.p39), .query("p40", path: \.p40), .query("p41", path: \.p41),
            .query("p42", path: \.p42), .query("p43", path: \.p43), .query("p44", path: \.p44),
            .query("p45", path: \.p45), .query("p46", path: \.p46), .query("p47", path: \.p47),
            .query("p48", path: \.p48), .query("p49", path: \.p49), .query("p50", path: \.p50),
            .query("p51", path: \.p51), .query("p52", path: \.p52), .query("p53", path: \.p53),
            .query("p54", path: \.p54), .query("p55", path: \.p55), .query("p56", path: \.p56),
            .query("p57", path: \.p57), .query("p58", path: \.p58), .query("p59", path: \.p59),
            .query("p60", path: \.p60), .query("p61", path: \.p61), .query("p62", path: \.p62),
            .query("p63", path: \.p63), .query("p64", path: \.p64), .query("p65", path: \.p65),
            .query("p66", path: \.p66), .query("p67", path: \.p67), .query("p68", path: \.p68),
            .query("p69", path: \.p69), .query("p70", path: \.p70), .query("p71", path: \.p71),
            .query("p72", path: \.p72), .query("p73", path: \.p73), .query("p74", path: \.p74),
            .query("p75", path: \.p75), .query("p76", path: \.p76), .query("p77", path: \.p77),
            .query("p78", path: \.p78), .query("p79", path: \.p79), .query("p80", path: \.p80),
            .query("p81", path: \.p81), .query("p82", path: \.p82), .query("p83", path: \.p83),
            .query("p84", path: \.p84), .query("p85", path: \.p85), .query("p86", path: \.p86),
            .query("p87", path: \.p87), .query("p88", path: \.p88), .query("p89", path: \.p89),
            .query("p90", path: \.p90), .query("p91", path: \.p91), .query("p92", path: \.p92),
            .query("p93", path: \.p93), .query("p94", path: \.p94), .query("p95", path: \.p95),
            .query("p96", path: \.p96), .query("p97", path: \.p97), .query("p98", path: \.p98),
            .query("p99", path: \.p99),
        ])
    typealias Response = Void

    static func inputs() throws -> [Hundred] {
        try (0..<64).map { number in
            let values = (0..<100).map { ("p\($0)", "value-\($0 * number)") }
            let object = Dictionary(uniqueKeysWithValues: values)
            return try JSONDecoder().decode(Hundred.self, from: JSONEncoder().encode(object))
        }
    }

    /// As people write it.
    static func hand(_ all: Hundred, _ environment: ServerEnvironment) throws -> URLRequest {
        var components = URLComponents(url: environment.baseUrl, resolvingAgainstBaseURL: false)!
        components.path += "/hundred"
        components.queryItems = [
            URLQueryItem(name: "p0", value: all.p0), URLQueryItem(name: "p1", value: all.p1),
            URLQueryItem(name: "p2", value: all.p2), URLQueryItem(name: "p3", value: all.p3),
            URLQueryItem(name: "p4", value: all.p4), URLQueryItem(name: "p5", value: all.p5),
            URLQueryItem(name: "p6", value: all.p6), URLQueryItem(name: "p7", value: all.p7),
            URLQueryItem(name: "p8", value: all.p8), URLQueryItem(name: "p9", value: all.p9),
            URLQueryItem(name: "p10", value: all.p10), URLQueryItem(name: "p11", value: all.p11),
            URLQueryItem(name: "p12", value: all.p12), URLQueryItem(name: "p13", value: all.p13),
            URLQueryItem(name: "p14", value: all.p14), URLQueryItem(name: "p15", value: all.p15),
            URLQueryItem(name: "p16", value: all.p16), URLQueryItem(name: "p17", value: all.p17),
            URLQueryItem(name: "p18", value: all.p18), URLQueryItem(name: "p19", value: all.p19),
            URLQueryItem(name: "p20", value: all.p20), URLQueryItem(name: "p21", value: all.p21),
            URLQueryItem(name: "p22", value: all.p22), URLQueryItem(name: "p23", value: all.p23),
            URLQueryItem(name: "p24", value: all.p24), URLQueryItem(name: "p25", value: all.p25),
            URLQueryItem(name: "p26", value: all.p26), URLQueryItem(name: "p27", value: all.p27),
            URLQueryItem(name: "p28", value: all.p28), URLQueryItem(name: "p29", value: all.p29),
            URLQueryItem(name: "p30", value: all.p30), URLQueryItem(name: "p31", value: all.p31),
            URLQueryItem(name: "p32", value: all.p32), URLQueryItem(name: "p33", value: all.p33),
            URLQueryItem(name: "p34", value: all.p34), URLQueryItem(name: "p35", value: all.p35),
            URLQueryItem(name: "p36", value: all.p36), URLQueryItem(name: "p37", value: all.p37),
            URLQueryItem(name: "p38", value: all.p38), URLQueryItem(name: "p39", value: all.p39),
            URLQueryItem(name: "p40", value: all.p40), URLQueryItem(name: "p41", value: all.p41),
            URLQueryItem(name: "p42", value: all.p42), URLQueryItem(name: "p43", value: all.p43),
            URLQueryItem(name: "p44", value: all.p44), URLQueryItem(name: "p45", value: all.p45),
            URLQueryItem(name: "p46", value: all.p46), URLQueryItem(name: "p47", value: all.p47),
            URLQueryItem(name: "p48", value: all.p48), URLQueryItem(name: "p49", value: all.p49),
            URLQueryItem(name: "p50", value: all.p50), URLQueryItem(name: "p51", value: all.p51),
            URLQueryItem(name: "p52", value: all.p52), URLQueryItem(name: "p53", value: all.p53),
            URLQueryItem(name: "p54", value: all.p54), URLQueryItem(name: "p55", value: all.p55),
            URLQueryItem(name: "p56", value: all.p56), URLQueryItem(name: "p57", value: all.p57),
            URLQueryItem(name: "p58", value: all.p58), URLQueryItem(name: "p59", value: all.p59),
            URLQueryItem(name: "p60", value: all.p60), URLQueryItem(name: "p61", value: all.p61),
            URLQueryItem(name: "p62", value: all.p62), URLQueryItem(name: "p63", value: all.p63),
            URLQueryItem(name: "p64", value: all.p64), URLQueryItem(name: "p65", value: all.p65),
            URLQueryItem(name: "p66", value: all.p66), URLQueryItem(name: "p67", value: all.p67),
            URLQueryItem(name: "p68", value: all.p68), URLQueryItem(name: "p69", value: all.p69),
            URLQueryItem(name: "p70", value: all.p70), URLQueryItem(name: "p71", value: all.p71),
            URLQueryItem(name: "p72", value: all.p72), URLQueryItem(name: "p73", value: all.p73),
            URLQueryItem(name: "p74", value: all.p74), URLQueryItem(name: "p75", value: all.p75),
            URLQueryItem(name: "p76", value: all.p76), URLQueryItem(name: "p77", value: all.p77),
            URLQueryItem(name: "p78", value: all.p78), URLQueryItem(name: "p79", value: all.p79),
            URLQueryItem(name: "p80", value: all.p80), URLQueryItem(name: "p81", value: all.p81),
            URLQueryItem(name: "p82", value: all.p82), URLQueryItem(name: "p83", value: all.p83),
            URLQueryItem(name: "p84", value: all.p84), URLQueryItem(name: "p85", value: all.p85),
            URLQueryItem(name: "p86", value: all.p86), URLQueryItem(name: "p87", value: all.p87),
            URLQueryItem(name: "p88", value: all.p88), URLQueryItem(name: "p89", value: all.p89),
            URLQueryItem(name: "p90", value: all.p90), URLQueryItem(name: "p91", value: all.p91),
            URLQueryItem(name: "p92", value: all.p92), URLQueryItem(name: "p93", value: all.p93),
            URLQueryItem(name: "p94", value: all.p94), URLQueryItem(name: "p95", value: all.p95),
            URLQueryItem(name: "p96", value: all.p96), URLQueryItem(name: "p97", value: all.p97),
            URLQueryItem(name: "p98", value: all.p98), URLQueryItem(name: "p99", value: all.p99),
        ]
        var request = URLRequest(url: components.url!)
        request.httpMethod = "GET"
        return request
    }
}
