#!/usr/bin/env bash
# Build the wheel, install it into an environment of its own, and ask it a question from a folder without the sources.
# What it requires is linked from .venv, where it is installed already; of .venv it sees nothing else.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

python="$root/.venv/bin/python"
"$python" -m build --wheel --no-isolation --outdir "$work/dist" "$root" >"$work/build.log" 2>&1 || { cat "$work/build.log"; exit 1; }
"$python" -m venv --without-pip "$work/venv"
packages() { "$1" -c 'import sysconfig; print(sysconfig.get_path("purelib"))'; }
"$python" "$root/tests/package/requirements_linked.py" "$work"/dist/veridic-*.whl \
  "$(packages "$python")" "$(packages "$work/venv/bin/python")"
"$python" -m pip --python "$work/venv/bin/python" install --quiet --no-deps --no-index "$work"/dist/veridic-*.whl
cp -r "$root/examples" "$work/examples"
cd "$work"

# the wheel alone has the small judge, which verifies in loose runs only
answer=$(venv/bin/veridic ask --kb kb.sqlite --docs examples --model extractive --strictness loose --json \
  "Who founded the Halden Ridge Observatory?")
printf '%s' "$answer" | venv/bin/python -c '
import json, sys, veridic
result = json.load(sys.stdin)
assert "site-packages" in veridic.__file__, veridic.__file__
assert "Ingrid Solvang" in result["answer"], result
assert result["outcome"] in ("accepted", "corrected"), result["outcome"]
assert result["sentences"][0]["citations"], result
assert "torch" not in sys.modules
print("the wheel answers:", result["answer"])
'

if python3 -m zipfile -l "$work"/dist/veridic-*.whl | grep veridic_lab; then echo "the wheel holds the laboratory"; exit 1; fi
told=$(venv/bin/veridic train base run/ --data pairs/ 2>&1) && { echo "the laboratory is there: $told"; exit 1; }
test "$told" = "veridic: \`veridic train\` belongs to the laboratory. pip install veridic-lab" || { echo "$told"; exit 1; }
echo "the wheel holds no laboratory"

venv/bin/python - <<'END'
import json, subprocess, urllib.request

command = ["venv/bin/veridic", "serve", "--kb", "kb.sqlite", "--model", "extractive", "--port", "0"]
served = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
try:
    address = next(word for word in served.stdout.readline().split() if word.startswith("http"))
    assert b"<title>Veridic" in urllib.request.urlopen(address).read()
    question = json.dumps({"question": "Who founded the Halden Ridge Observatory?"}).encode()
    result = json.load(urllib.request.urlopen(f"{address}ask", question))
    assert result["short_answer"] == "Ingrid Solvang", result
    print("the wheel serves:", result["short_answer"])
finally:
    served.terminate()
    served.wait(20)
END
