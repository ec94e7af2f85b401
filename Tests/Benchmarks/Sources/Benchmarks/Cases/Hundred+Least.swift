import Endpoints
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension Hundred {
    static func least<Way: Least>(
        _ way: Way.Type, _ all: Hundred, _ environment: ServerEnvironment
    ) throws -> URLRequest {
        // No value of the inputs is longer than 12 bytes.
        try Way.request(environment.baseUrl, capacity: 100 * (5 + 3 * 12)) {
            $0.literal("/hundred?p0=")
            $0.query(all.p0)
            $0.item("&p1=", all.p1)
            $0.item("&p2=", all.p2)
            $0.item("&p3=", all.p3)
            $0.item("&p4=", all.p4)
            $0.item("&p5=", all.p5)
            $0.item("&p6=", all.p6)
            $0.item("&p7=", all.p7)
            $0.item("&p8=", all.p8)
            $0.item("&p9=", all.p9)
            $0.item("&p10=", all.p10)
            $0.item("&p11=", all.p11)
            $0.item("&p12=", all.p12)
            $0.item("&p13=", all.p13)
            $0.item("&p14=", all.p14)
            $0.item("&p15=", all.p15)
            $0.item("&p16=", all.p16)
            $0.item("&p17=", all.p17)
            $0.item("&p18=", all.p18)
            $0.item("&p19=", all.p19)
            $0.item("&p20=", all.p20)
            $0.item("&p21=", all.p21)
            $0.item("&p22=", all.p22)
            $0.item("&p23=", all.p23)
            $0.item("&p24=", all.p24)
            $0.item("&p25=", all.p25)
            $0.item("&p26=", all.p26)
            $0.item("&p27=", all.p27)
            $0.item("&p28=", all.p28)
            $0.item("&p29=", all.p29)
            $0.item("&p30=", all.p30)
            $0.item("&p31=", all.p31)
            $0.item("&p32=", all.p32)
            $0.item("&p33=", all.p33)
            $0.item("&p34=", all.p34)
            $0.item("&p35=", all.p35)
            $0.item("&p36=", all.p36)
            $0.item("&p37=", all.p37)
            $0.item("&p38=", all.p38)
            $0.item("&p39=", all.p39)
            $0.item("&p40=", all.p40)
            $0.item("&p41=", all.p41)
            $0.item("&p42=", all.p42)
            $0.item("&p43=", all.p43)
            $0.item("&p44=", all.p44)
            $0.item("&p45=", all.p45)
            $0.item("&p46=", all.p46)
            $0.item("&p47=", all.p47)
            $0.item("&p48=", all.p48)
            $0.item("&p49=", all.p49)
            $0.item("&p50=", all.p50)
            $0.item("&p51=", all.p51)
            $0.item("&p52=", all.p52)
            $0.item("&p53=", all.p53)
            $0.item("&p54=", all.p54)
            $0.item("&p55=", all.p55)
            $0.item("&p56=", all.p56)
            $0.item("&p57=", all.p57)
            $0.item("&p58=", all.p58)
            $0.item("&p59=", all.p59)
            $0.item("&p60=", all.p60)
            $0.item("&p61=", all.p61)
            $0.item("&p62=", all.p62)
            $0.item("&p63=", all.p63)
            $0.item("&p64=", all.p64)
            $0.item("&p65=", all.p65)
            $0.item("&p66=", all.p66)
            $0.item("&p67=", all.p67)
            $0.item("&p68=", all.p68)
            $0.item("&p69=", all.p69)
            $0.item("&p70=", all.p70)
            $0.item("&p71=", all.p71)
            $0.item("&p72=", all.p72)
            $0.item("&p73=", all.p73)
            $0.item("&p74=", all.p74)
            $0.item("&p75=", all.p75)
            $0.item("&p76=", all.p76)
            $0.item("&p77=", all.p77)
            $0.item("&p78=", all.p78)
            $0.item("&p79=", all.p79)
            $0.item("&p80=", all.p80)
            $0.item("&p81=", all.p81)
            $0.item("&p82=", all.p82)
            $0.item("&p83=", all.p83)
            $0.item("&p84=", all.p84)
            $0.item("&p85=", all.p85)
            $0.item("&p86=", all.p86)
            $0.item("&p87=", all.p87)
            $0.item("&p88=", all.p88)
            $0.item("&p89=", all.p89)
            $0.item("&p90=", all.p90)
            $0.item("&p91=", all.p91)
            $0.item("&p92=", all.p92)
            $0.item("&p93=", all.p93)
            $0.item("&p94=", all.p94)
            $0.item("&p95=", all.p95)
            $0.item("&p96=", all.p96)
            $0.item("&p97=", all.p97)
            $0.item("&p98=", all.p98)
            $0.item("&p99=", all.p99)
        }
    }
}

extension Least {
    fileprivate mutating func item(_ beginning: StaticString, _ value: String) {
        literal(beginning)
        query(value)
    }
}

extension Case {
    static func hundred() throws -> Case {
        Case(
            "5 GET, 100 query values", goal: (limit: 1.10, hand: 0.40),
            inputs: try Hundred.inputs(), hand: Hundred.hand,
            limit: { try Hundred.least(Limit.self, $0, $1) },
            floor: { try Hundred.least(Floor.self, $0, $1) })
    }
}
