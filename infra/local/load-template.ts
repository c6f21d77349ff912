/**
 * The template the local stack is built from: synthesised by the very constructs of the deployment, in a child process, and
 * kept by the hash of everything it depends on, so that a second start needs no CDK.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { ROOT } from '../bundling.ts';
import { parseTemplate, type Template } from '../template.ts';
import { type ContentCache, hashContent, loadEntry } from './content-cache.ts';

/** What the template is made from. The local stack's own files and the command line do not shape it. */
const SOURCES = [
  'infra/constructs',
  'infra/local/synth-template.ts',
  'lib/base/limits.ts',
  'lib/store/settings.ts',
  'package-lock.json',
];
const CHILD = fileURLToPath(new URL('synth-template.ts', import.meta.url));
const run = promisify(execFile);

const topLevelSources = (): readonly string[] =>
  readdirSync(join(ROOT, 'infra'))
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join('infra', name));

const synthesise = async (space: string, outFile: string): Promise<void> => {
  const assembly = mkdtempSync(join(tmpdir(), 'passepartout-synth-'));
  try {
    const env = { PATH: process.env.PATH ?? '', CDK_OUTDIR: assembly };
    await run(process.execPath, [CHILD, space, outFile], { cwd: ROOT, env });
  } finally {
    rmSync(assembly, { recursive: true, force: true });
  }
};

/** @throws when the stack does not synthesise, with CDK's message */
export const loadTemplate = async (cache: ContentCache, space: string): Promise<Template> => {
  const sources = [...topLevelSources(), ...SOURCES].map((path) => join(ROOT, path));
  const hash = hashContent(ROOT, sources, [space]);
  const path = await loadEntry(cache, 'template', hash, (outFile) => synthesise(space, outFile));
  return parseTemplate(JSON.parse(readFileSync(path, 'utf8')));
};
