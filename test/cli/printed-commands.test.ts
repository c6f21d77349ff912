/**
 * Every command that the product prints or documents can be pasted as it stands: it begins with
 * `npx passepartout`, and it names a command, and a verb of it, that exist.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../../infra/bundling.ts';
import { loadCommands } from '../../infra/cli/command-table.ts';

const FILES = [
  'README.md',
  'test/README.md',
  ...['functions', 'infra', 'lib'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
  ),
].filter((file) => /\.(ts|js|html|md|yaml)$/.test(file));

const commands = new Map((await loadCommands([])).map((command) => [command.name, command]));

/** Verbs of a command that takes one first; undefined for any other command. */
const verbsOf = (name: string): readonly string[] | undefined => {
  const usage = commands.get(name)?.usage ?? '';
  return /^[a-z]/.test(usage) ? usage.match(/[a-z][a-z-]+/g)?.map(String) : undefined;
};

/** What is wrong with the commands of a text. */
const findFaults = (text: string): readonly string[] =>
  [
    ...text.matchAll(/(npx )?\bpassepartout ([a-z][a-z-]*|<command>|\$\{name\})(?: ([a-z][a-z-]*)(?![a-z./]))?/g),
  ].flatMap(([words, npx, name = '', verb]) => {
    if (!commands.has(name) && /^[a-z]/.test(name)) return npx === undefined ? [] : [`${words}: no such command`];
    if (npx === undefined) return [`${words}: without npx`];
    const verbs = verbsOf(name);
    return verb !== undefined && verbs?.includes(verb) === false ? [`${words}: no such verb`] : [];
  });

describe('printed commands', () => {
  it.each([
    ['passepartout approvals lists them', ['passepartout approvals lists: without npx']],
    ['npx passepartout aprovals', ['npx passepartout aprovals: no such command']],
    ['npx passepartout jobs histroy morning', ['npx passepartout jobs histroy: no such verb']],
    ['npx passepartout doctor says more; the program passepartout is small', []],
  ])('finds the fault of %j', (text, faults) => {
    expect(findFaults(text)).toStrictEqual(faults);
  });

  it('begin with npx everywhere, and name what exists', () => {
    const faults = FILES.flatMap((file) =>
      findFaults(readFileSync(join(ROOT, file), 'utf8')).map((fault) => `${file}: ${fault}`),
    );
    expect(faults).toStrictEqual([]);
  });
});
