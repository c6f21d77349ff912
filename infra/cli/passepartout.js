#!/bin/sh
//usr/bin/env true; here=$(dirname -- "$(readlink -f -- "$0")"); own="$here/../../node_modules/.bin/node"; [ -x "$own" ] || own=node
//usr/bin/env true; case "$("$own" --version)" in v2[4-9]*|v[3-9][0-9]*) exec "$own" "$here/passepartout.js" "$@";; esac
//usr/bin/env true; echo 'passepartout needs Node 24 or newer: run "npm ci" in its folder, which brings one along' >&2; exit 2
/**
 * The program `passepartout`. A shell reads the lines above first: they find the project's own
 * Node. To JavaScript they are comments. This is no TypeScript: Node does not cache its first file,
 * and would load the code that strips types with every command.
 */
// First, before anything that an old Node or a fresh checkout cannot load.
import '../check-install.js';

// A reader that goes away (`| head`) is no failure.
process.stdout.on('error', () => process.exit(0));
const { runMain } = await import('./main.ts');
process.exitCode = await runMain({
  words: process.argv.slice(2),
  input: process.stdin,
  output: process.stdout,
  errors: process.stderr,
  env: process.env,
  folder: process.cwd(),
});
