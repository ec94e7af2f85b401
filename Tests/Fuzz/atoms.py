"""What random cases are made of: texts, pieces and addresses that mean something to somebody."""

# Pieces of texts.
ATOMS = (
    r". .. ... %2e %2E%2e % %2 %zz %2F %00 / // a/b ? # + & = ; , : @ [] [a] \ ' <> ~ * !$() ^`{|}"
    " é e\u0301 ß 日本 😀 👩‍👩‍👧 \u200b \u202e \ufeff \ufffd \uffff \U0010ffff ﷺ \u0301"
    ' a Z 0 x-y_z.w "'
).split(" ") + ["", " ", "\0", "\t", "\r\n", "\n", "\x1b", "\x7f", "\x80", "\xa0", "\u2028"]

# Literal text of paths; more often right than wrong.
LITERALS = (
    r"a users / / a/ /b /b/ .json - . .. %20 %2e %2F % %zz é a;v=1 (x) ? # // a:b@c [x] \ "
).split(" ") + ["a b"]

METHODS = "GET GET GET POST POST PUT PATCH DELETE HEAD OPTIONS PROPFIND M-SEARCH".split()
BAD_METHODS = ["", "A B", "GET\r\n", "é", "get", "post", "patch", "Head", "M\0"]

NAMES = (
    "Accept Content-Type Authorization X-Token x-lower X-UPPER If-Match !#$%&'*+-.^_`|~ Range"
).split()
LATER_NAMES = ["X-Later", "X-Token", "ACCEPT", "content-type"]
# The layers of headers besides the declared ones: the environment's, the common ones, those known only at run time.
LAYERS = ["serverHeaders", "commonHeaders", "moreHeaders"]
BAD_NAMES = [
    "", "a b", "a:b", "é", "a\r\nb", "x\0", "(x)", "\u212aeep", "Content-Length",
    "transfer-encoding",
]

# Base URLs: whole ones, and the parts of others.
BASES = """
    https://h https://h/ https://h/v1 https://h/v1/ http://h:8080/a/b?k=1 https://h?k=1& https://h./
    https://h/?a=b&c https://user:p%40ss@h/v1 http://[::1]:80/v1 http://[fe80::1%25en0]/ https://h/?
    https://bücher.example/ü?ü=ü https://xn--bcher-kva.example/ HTTPS://H.Example/X
    https://u@h:1/
    https://h/v1#fragment https://h/v1/?q=1#f?x https://h//a// https://h/a%2Fb/%20 http://127.0.0.1
    https://h/a;b=c/d https://h/a?b=%00+%2B https://h/... http://1.2.3.4:80 https://h:443/
""".split()
REFUSED_BASES = """
    ftp://h/ /v1 v1 https:///v1 https:h/v1 mailto:a@b https://:80/ https://u@/ https://h/./a
    https://h/a/.. https://h/%2e%2E/b https://h/.%2e?x file:///etc //h/v1
""".split() + [""]
HOSTS = "h example.com h. [::1] 127.0.0.1 bücher.example 日本.example xn--wgv71a".split()
SENT_BASES = ["http://{wire}", "http://{wire}/v1/?k=1", "http://{wire}/a//", "http://{wire}/%2e./a"]

# The properties of `Values`, by the places they fit in.
IN_PATH = """
    flag text small maybe count big maybeCount number single decimal word moment maybeMoment id
    letter slice nested shared computed basic bearer day
""".split()
SEGMENTS = ["list", "maybes", "numbers", "text as segments"]
SEVERAL = ["list", "maybes", "numbers", "map", "map as JSON"]
STYLES = ["repeated", "commaSeparated", "brackets"]
ARRAYS = ["brackets", "indices", "repeated"]
# Names of properties that read another one's value.
READS = {"computed": "text", "text as segments": "text", "map as JSON": "map", "day": "moment"}

NUMBERS = [0.0, -0.0, 1.0, 0.1, -1.5, 1e-05, 1e16, 2.0**53 + 2, 2.0**54, 1e300, 5e-324]
BAD_NUMBERS = ["inf", "-inf", "nan"]
# Seconds since 2001: no moments, and the first ones beyond the years 0 to 9999.
BAD_MOMENTS = ["inf", "nan", 1e18, -1e18, 252_423_993_600.0, -63_145_526_401.0]
# Keys of dictionaries that no Unicode normalisation changes, so that any sorting agrees.
KEYS = ["a", "b", "A", "", "k]", "k[0]", "ø", "日", "&", "=", " ", "%41"]
# Those of nested values, none of which a reader takes for an index; and those that are refused.
NESTED_KEYS = ["a", "b", "B", "userName", "ø", "日", "&", "=", "%41", "a.b", "-", "x+y", "#", "?"]
BAD_NESTED_KEYS = ["", "k]", "[", "a][b", "k[0]"]
NESTED_NAMES = ["filter", "f", "é", "a.b", "x+y", "%5B"]
