/**
 * Makes the manual of what the product is made of: pages of features, operations, documents. It
 * reads files of the checkout, so only a build and the sources themselves call it.
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inGerman } from '../../core/language/stored-german.ts';
import { operationsIn } from '../../core/operations/feature.ts';
import { usageOf } from '../../core/operations/read-words.ts';
import { isTyped } from '../../core/operations/rights.ts';
import { FEATURES } from '../features.ts';
import { MANUAL_PAGES } from '../manual-pages.ts';
import { cutDocument } from './cut-document.ts';
import type { Passage } from './manual.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** What people read who use the product. The pages for those who change it are not among them. */
const DOCUMENTS = [
  'README.md',
  'infra/{README,operating,troubleshooting,telegram,webhooks,from-nothing-to-aws}.md',
  'infra/{cli,features/*}/README.md',
  'infra/runner/pairing.md',
  'lib/core/{edge,memory}/README.md',
  'lib/features/{forgetting,jobs,learning,mcp,news,runbooks,tending,voice,witnesses}/README.md',
  'lib/features/*/writing.md',
];

const verbs = (): readonly Passage[] =>
  operationsIn(FEATURES)
    .filter(isTyped)
    .map((operation) => {
      const title = `/${usageOf(operation)}`;
      const see = 'lib/core/operations/README.md#all-operations';
      const german = { title, text: inGerman(operation.summary) };
      return { kind: 'verb', title, words: '', text: operation.summary, german, see };
    });

export const buildManual = (): readonly Passage[] => [
  ...MANUAL_PAGES.map(({ title, german, words, steps, see }): Passage => ({
    kind: 'page',
    title,
    words,
    text: steps.map(([command, says]) => `${command} – ${says}`).join('\n'),
    german: { title: german, text: steps.map(([command, , says]) => `${command} – ${says}`).join('\n') },
    see,
  })),
  ...verbs(),
  ...globSync(DOCUMENTS, { cwd: ROOT })
    .toSorted()
    .flatMap((path) => cutDocument(path, readFileSync(join(ROOT, path), 'utf8'))),
];
