"""Compares the requests that the imported declarations make with the values that they were made of."""

import base64
import json
import sys

calls = [json.loads(line) for line in open(sys.argv[1], encoding="utf-8")]
values = json.load(open(sys.argv[2], encoding="utf-8"))["operations"]
root = "https://server.invalid/pets"
assert len(calls) == len(values), f"{len(calls)} of {len(values)} calls"
for call in calls:
    assert "error" not in call, call
assert [call["url"] for call in calls] == [
    root, f"{root}/a%2Fb", f"{root}?in=red,%2B1&filter%5Bopen%5D=true", f"{root}/1.files"], calls
assert [call["method"] for call in calls] == ["POST", "PATCH", "GET", "POST"], calls
assert calls[2]["headers"]["X-Trace"] == "7", calls[2]
del values[0]["body"]["birth_day"]  # `null` and absent are told apart in a PATCH only
for call, value in zip(calls[:2], values[:2]):
    assert json.loads(base64.b64decode(call["body"])) == value["body"], (call["name"], base64.b64decode(call["body"]))
form = base64.b64decode(calls[3]["body"])
assert form.count(b'name="tags"') == 2 and b"\1\2" in form and b'name="title"' in form, form
print(f"{len(calls)} requests are what the document says")
