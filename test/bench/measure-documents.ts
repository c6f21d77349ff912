/**
 * What reading a PDF of 100 pages and 2 MB costs, in a fresh process with the bundle that is
 * deployed, as a first run of the function has it; and what that bundle weighs.
 */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { buildFunction } from '../../infra/build-function.ts';
import { buildContents } from '../../lib/core/store/contents.ts';
import { drawn, pdfWith, streamOf } from '../support/documents.ts';
import { measureBundle } from '../support/measure-bundle.ts';
import type { Measure } from './measure.ts';

const [PAGES, LINES] = [100, 35];
const BYTES = 2_000_000;
const READ_MS_MAX = 3_000;
const READ_MB_MAX = 300;

const makePdf = (): Buffer => {
  const page = drawn(Array.from({ length: LINES }, (_, n) => `Line ${n} tea costs ${n}.10`));
  const text = Array.from({ length: PAGES }, () => page);
  const picture = randomBytes(BYTES - pdfWith(text, true).length);
  return pdfWith(text, true, [streamOf(picture)]);
};

const programOf = (module: string, hash: string): string => `
const from = performance.now();
const { handler } = await import(${JSON.stringify(module)});
const { text } = await handler({ hash: ${JSON.stringify(hash)} });
if (!text.includes('[page ${PAGES}]')) throw new Error('it was not read whole');
console.log(JSON.stringify({ ms: performance.now() - from, mb: process.resourceUsage().maxRSS / 1000 }));
`;

export const measureDocuments: Measure = async ({ scratch, progress }) => {
  progress('documents');
  const [folder, store] = [join(scratch, 'document'), join(scratch, 'document-contents')];
  mkdirSync(folder, { recursive: true });
  const { startBytes, allBytes } = measureBundle(buildFunction('document', folder));
  const env = { SPACE: 'default', CONTENT_DIR: store };
  const hash = (await buildContents(env)?.keep(makePdf())) ?? '';
  const program = programOf(join(folder, 'index.mjs'), hash);
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], { env });
  const { ms, mb }: { ms: number; mb: number } = JSON.parse(stdout);
  const group = 'documents: a PDF of 100 pages and 2 MB, first run of a process';
  return [
    { group, name: 'from the import to its text', value: ms, unit: 'ms', goal: { is: '≤', value: READ_MS_MAX } },
    { group, name: 'memory of the process', value: mb, unit: 'MB', goal: { is: '≤', value: READ_MB_MAX } },
    { group, name: 'bundle: loaded at the start', value: startBytes / 1024, unit: 'KB' },
    { group, name: 'bundle: and with a PDF', value: allBytes / 1024, unit: 'KB' },
  ];
};
