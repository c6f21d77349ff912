/** `npm run operations`: writes the table of operations in `lib/core/operations/README.md`. */
import { readFileSync, writeFileSync } from 'node:fs';
import { CONSOLE_VERBS } from '../lib/core/edge/console/console-verbs.ts';
import { needOf, pathOf } from '../lib/core/edge/console/operation-path.ts';
import { operationsIn } from '../lib/core/operations/feature.ts';
import { usageOf } from '../lib/core/operations/read-words.ts';
import { FEATURES } from '../lib/features/features.ts';
import { putTable } from './settings-table.ts';

const README = new URL('../lib/core/operations/README.md', import.meta.url);

/** One row an operation, as Markdown. */
export const buildOperationsTable = (): string => {
  const rows = operationsIn([...FEATURES, CONSOLE_VERBS]).map((operation) => {
    const { name, form, summary, kind, needs } = operation;
    const words = (form === undefined ? usageOf(operation) : `${name} …`).replaceAll('|', '\\|');
    const method = kind === 'look' ? 'GET' : 'POST';
    return `| \`${words}\` | ${summary} | \`${method} ${pathOf(operation)}\` | ${needs} | ${needOf(operation)} |`;
  });
  return ['| words | what it does | over HTTP | who in a chat | token |', '|---|---|---|---|---|', ...rows].join('\n');
};

if (import.meta.main)
  writeFileSync(README, putTable(readFileSync(README, 'utf8'), 'operations', buildOperationsTable()));
