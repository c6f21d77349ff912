/**
 * `node infra/build-code.ts <function> <folder>`: builds one function's code in a process of its own, for whoever cannot wait for a
 * promise (CDK asks for code inside a constructor, and esbuild runs plugins only for those who can). Exits 1 with esbuild's messages.
 */
import { buildCode } from './build-function.ts';
import { FUNCTION_NAMES } from './functions.ts';

const [, , given, outdir] = process.argv;
const name = FUNCTION_NAMES.find((one) => one === given);
if (name === undefined || outdir === undefined) throw new Error('usage: build-code.ts <function> <folder>');
await buildCode(name, outdir);
