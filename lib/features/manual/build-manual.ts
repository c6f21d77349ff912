/**
 * Makes the manual of what the product is made of: pages of features, operations, documents. It
 * reads files of the checkout, so only a build and the sources themselves call it.
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CONSOLE_VERBS } from '../../core/edge/console/console-verbs.ts';
import { inGerman } from '../../core/language/stored-german.ts';
import { operationsIn } from '../../core/operations/feature.ts';

import type { Operation } from '../../core/operations/operation.ts';
import { usageOf } from '../../core/operations/read-words.ts';
import { isTyped } from '../../core/operations/rights.ts';
import { FEATURES } from '../features.ts';
import { MANUAL_PAGES, type ManualPage } from '../manual-pages.ts';
import { cutDocument } from './cut-document.ts';
import type { Passage } from './manual.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

const OPERATIONS = 'lib/core/operations/README.md#all-operations';

/** Documents for those who use the product, and the features' own. */
const DOCUMENTS = [
  'README.md',
  'infra/{README,operating,troubleshooting,telegram,webhooks,from-nothing-to-aws}.md',
  'infra/{cli,features/*}/README.md',
  'infra/runner/pairing.md',
  'lib/core/{edge,memory}/README.md',
  'lib/features/*/{README,writing}.md',
];

type Step = NonNullable<ManualPage['steps']>[number];

const VERBS = operationsIn([...FEATURES, CONSOLE_VERBS]);

/** A verb that no chat takes is a command of the terminal. */
const stepOf = (operation: Operation): Step => [
  `${isTyped(operation) ? '/' : 'npx passepartout '}${usageOf(operation)}`,
  operation.summary,
  inGerman(operation.summary),
];

/** @throws Error for a name that no operation has: a mistake of ours */
const verbsOf = ({ title, verbs = [] }: ManualPage): readonly Step[] =>
  verbs.flatMap((name) => {
    const found = VERBS.filter((operation) => operation.name === name);
    if (found.length === 0) throw new Error(`the page “${title}” names the verb ${name}, which does not exist`);
    return found.map(stepOf);
  });

const showPage = (page: ManualPage): Passage => {
  const steps = [...(page.steps ?? []), ...verbsOf(page)];
  return {
    kind: 'page',
    title: page.title,
    words: page.words,
    text: steps.map(([command, says]) => `${command} – ${says}`).join('\n'),
    german: { title: page.german, text: steps.map(([command, , says]) => `${command} – ${says}`).join('\n') },
    see: page.see,
  };
};

const showVerb = (operation: Operation): Passage => {
  const [title, text, german] = stepOf(operation);
  return { kind: 'verb', title, words: '', text, german: { title, text: german }, see: OPERATIONS };
};

export const buildManual = (): readonly Passage[] => [
  ...MANUAL_PAGES.map(showPage),
  ...VERBS.map(showVerb),
  ...globSync(DOCUMENTS, { cwd: ROOT })
    .toSorted()
    .flatMap((path) => cutDocument(path, readFileSync(join(ROOT, path), 'utf8'))),
];
