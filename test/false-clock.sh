#!/bin/sh
# Runs tests under a false clock (Debian's faketime) at moments that break dates. Without arguments: the files that
# speak of days or of times of a day, and either read the clock or run on a stack that does. `all` or names of files
# choose others. All processes of one run share its clock. The browser, which no false clock can drive, and the
# journeys run under the true clock in a zone where it is between midnight and one. Tells at its end what failed.
cd "$(dirname "$0")/.." || exit 1
command -v faketime >/dev/null || { echo 'faketime is missing: apt-get install faketime' >&2; exit 1; }
failed=''
if [ $# -eq 0 ]; then
  hour=$(date -u +%-H)
  # The zones of Etc have the sign turned round: Etc/GMT+3 is three hours behind UTC, and there is none beyond 12.
  zone=Etc/GMT+$hour
  [ "$hour" -le 12 ] || zone=Etc/GMT-$((24 - hour))
  echo "== after midnight in $zone"
  TZ=$zone npx vitest run --config test/vitest.config.ts --reporter=dot test/browser test/journeys </dev/null ||
    failed="
  after midnight in $zone"
  # The kernel gives a file its time by the true clock: pictures kept for 30 days would be too old at once.
  files=$(git ls-files 'test/*.test.ts' | grep -vE '^test/(bench|browser|journeys)/|^test/flow/pictures')
  clocked=$(grep -lE 'Date\.now\(|new Date\(\)|startTestStack|passDayEnd' $files)
  set -- $(grep -lE 'TIME_ZONE|getUTC|toISOString|[Tt]omorrow|[Mm]idnight|\bcron\b|[0-9]{2} UTC|\bdays\b|passDayEnd' $clocked)
elif [ "$1" = all ]; then
  shift
fi
while read -r zone day time; do
  echo "== $day $time in $zone"
  # Without DONT_RESET each process would begin at the moment anew: clocks of one stack would differ, and go back.
  TZ=$zone FAKETIME_DONT_RESET=1 FAKETIME_DONT_FAKE_MONOTONIC=1 faketime -f "@$day $time" \
    npx vitest run --config test/vitest.config.ts --reporter=dot "$@" </dev/null || failed="$failed
  $day $time in $zone"
done <<MOMENTS
UTC 2026-11-23 22:40:00
UTC 2026-12-31 23:10:00
UTC 2027-01-01 00:05:00
UTC 2028-02-29 12:00:00
UTC 2027-03-28 00:50:00
UTC 2027-10-31 00:50:00
America/New_York 2027-03-13 23:30:00
Asia/Kolkata 2026-12-31 23:30:00
Pacific/Auckland 2027-04-04 01:50:00
MOMENTS
[ -z "$failed" ] || { echo "Failed at:$failed"; exit 1; }
echo 'All moments passed.'
