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
import { hashContent } from './content-hash.ts';
import { replaceFile } from './data-folder.ts';

/** What the template is made from. The local stack's own files and the command line do not shape it. */
const SOURCES = ['infra/constructs', 'infra/local/synth-template.ts', 'lib/limits.ts', 'package-lock.json'];
const CHILD = fileURLToPath(new URL('synth-template.ts', import.meta.url));
const run = promisify(execFile);

const topLevelSources = (): readonly string[] =>
  readdirSync(join(ROOT, 'infra'))
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join('infra', name));

const synthesise = async (space: string): Promise<string> => {
  const folder = mkdtempSync(join(tmpdir(), 'passepartout-synth-'));
  try {
    const outFile = join(folder, 'template.json');
    const env = { PATH: process.env.PATH ?? '', CDK_OUTDIR: join(folder, 'cdk.out') };
    await run(process.execPath, [CHILD, space, outFile], { cwd: ROOT, env });
    return readFileSync(outFile, 'utf8');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

/** @param cacheFolder must exist; older templates in it are removed */
export const loadTemplate = async (cacheFolder: string, space: string): Promise<Template> => {
  const sources = [...topLevelSources(), ...SOURCES].map((path) => join(ROOT, path));
  const name = `template-${hashContent(ROOT, sources, [space])}.json`;
  const path = join(cacheFolder, name);
  const cached = readdirSync(cacheFolder).filter((file) => file.startsWith('template-'));
  if (cached.includes(name)) return parseTemplate(JSON.parse(readFileSync(path, 'utf8')));
  const text = await synthesise(space);
  const template = parseTemplate(JSON.parse(text));
  replaceFile(path, text);
  for (const old of cached) rmSync(join(cacheFolder, old), { force: true });
  return template;
};
