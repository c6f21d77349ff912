#!/usr/bin/env node
/**
 * Entry of the command `passepartout`. Promises an exit code for scripts (`passepartout help` lists them); needs the Node
 * that runs TypeScript directly, and says what to do on an older one before anything else is loaded.
 */
import { NODE_MAJOR_MIN } from './node-version.ts';

const major = Number(process.versions.node.split('.')[0]);
if (major < NODE_MAJOR_MIN) {
  process.stderr.write(
    `passepartout needs Node ${NODE_MAJOR_MIN} or newer and this is ${process.version}; "npx passepartout" in the project's folder uses the right one\n`,
  );
  process.exitCode = 2;
} else {
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
}
