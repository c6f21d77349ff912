/**
 * Finds in a text what mends a finding: a command of the chat, of the command line or of npm, or a
 * heading of a document. Only what exists counts.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { ROOT } from '../../infra/bundling.ts';
import { loadCommands } from '../../infra/cli/command-table.ts';
import { operationsIn } from '../../lib/core/operations/feature.ts';
import { FEATURES } from '../../lib/features/features.ts';

const CLI = new Set((await loadCommands([])).map(({ name }) => name));
const CHAT = operationsIn(FEATURES).map(({ name }) => name);
const Scripts = z.object({ scripts: z.record(z.string(), z.string()) });
const { scripts } = Scripts.parse(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')));

const hasHeading = (file: string, slug: string | undefined): boolean =>
  existsSync(join(ROOT, file)) &&
  (slug === undefined ||
    [...readFileSync(join(ROOT, file), 'utf8').matchAll(/^#+ (.+)$/gm)].some(
      ([, heading = '']) =>
        heading
          .toLowerCase()
          .replace(/[^a-z0-9 -]/g, '')
          .replaceAll(' ', '-') === slug,
    ));

const isOfChat = (words: string): boolean =>
  words === 'resume' || CHAT.some((name) => words === name || words.startsWith(`${name} `));

export const mendsIn = (text: string): readonly string[] => {
  const found = (pattern: RegExp, isThere: (first: string, second: string | undefined) => boolean) =>
    [...text.matchAll(pattern)].flatMap(([words, first = '', second]) => (isThere(first, second) ? [words] : []));
  return [
    ...found(/npx passepartout ([a-z-]+)/g, (name) => CLI.has(name)),
    ...found(/npm (?:run )?([a-z]+)/g, (name) => Object.hasOwn(scripts, name)),
    ...found(/(?<=^|[\s(])\/([a-z][a-z ]*[a-z])/g, isOfChat),
    ...found(/((?:infra\/)?\w[\w-]*\.md)(?:#([a-z-]+))?/g, hasHeading),
    ...found(/chmod (go-rwx|600) /g, () => true),
  ];
};
