#!/bin/sh
# Tests a shop against a sandbox of its own, for a CI job. BILI is the command of Bili, for example "node bili/lib/cli/bootstrap.mjs".
set -eu
BILI=${BILI:-node lib/cli/bootstrap.mjs}

ready=$(mktemp)
$BILI start --sandbox-only --ephemeral > "$ready" &
sandbox=$!
trap 'kill "$sandbox" 2>/dev/null; wait "$sandbox" || true; rm -f "$ready"' EXIT
until [ -s "$ready" ]; do
  kill -0 "$sandbox"
  sleep 0.1
done
value() {
  node -p 'JSON.parse(require("node:fs").readFileSync(process.argv[1], "utf8"))[process.argv[2]]' "$ready" "$1"
}
BILI_URL=$(value sandbox)
BILI_KEY_ID=$(value apiKey)
BILI_SECRET=$(value apiSecret)
export BILI_URL BILI_KEY_ID BILI_SECRET

# Start your shop here, with these three variables, and let it create a bill. This job creates one itself.
$BILI trigger paid --reference CI-1
$BILI expect webhook --status FULLY_PAID --reference CI-1 --within 10s
echo 'The shop works with Bili.'
