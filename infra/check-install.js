/**
 * Ends the process with one sentence if Node is too old or the packages are missing. It is plain
 * JavaScript and imports nothing that is installed, so that it runs there too. Keeps the compiled
 * code of what is loaded next: a start of the stack then takes four fifths of the time, a command
 * of the command line a third.
 */
import module from 'node:module';
import { fileURLToPath } from 'node:url';

/** The oldest Node that runs this project: Lambda's own, which runs TypeScript directly. */
const NODE_MAJOR_MIN = 24;

const { node } = process.versions;
const isOld = Number.parseInt(node, 10) < NODE_MAJOR_MIN;

const isInstalled = () => {
  try {
    return import.meta.resolve('zod') !== '';
  } catch {
    return false;
  }
};

if (isOld || !isInstalled()) {
  const folder = fileURLToPath(new URL('..', import.meta.url));
  const problem = isOld ? `This needs Node ${NODE_MAJOR_MIN}, and runs on ${node}` : 'The packages are not installed';
  const hint = isOld ? ' It brings the right Node along; allow its install scripts.' : '';
  console.error(`${problem}: run "npm ci" in ${folder} and try again.${hint}`);
  process.exit(2);
}

module.enableCompileCache?.(fileURLToPath(new URL('../node_modules/.cache/passepartout', import.meta.url)));
