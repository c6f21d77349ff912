/** The manual is found by users' words, is true to what the product has, and keeps its bounds. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../../../infra/bundling.ts';
import { loadCommands } from '../../../infra/cli/command-table.ts';
import { defined } from '../../../lib/core/base/defined.ts';
import { CONSOLE_VERBS } from '../../../lib/core/edge/console/console-verbs.ts';
import { inGerman } from '../../../lib/core/language/stored-german.ts';
import { operationsIn } from '../../../lib/core/operations/feature.ts';
import { recall } from '../../../lib/core/tools/recall.ts';
import { SENTENCES } from '../../../lib/core/tools/sentences-german.ts';
import { shownInResults } from '../../../lib/core/tools/show-objects.ts';
import { FEATURES } from '../../../lib/features/features.ts';
import { findHelp, recallManual } from '../../../lib/features/manual/answer.ts';
import { buildManual } from '../../../lib/features/manual/build-manual.ts';
import { cutDocument } from '../../../lib/features/manual/cut-document.ts';
import type { Passage } from '../../../lib/features/manual/manual.ts';
import { buildManualIndex, searchManual } from '../../../lib/features/manual/search-manual.ts';
import { MANUAL_PAGES } from '../../../lib/features/manual-pages.ts';

const MANUAL = buildManual();
const INDEX = buildManualIndex(MANUAL);
const FIVE = 5;

const shown = ({ title, text }: Passage): string => `${title}\n${text}`;
const firstFive = (question: string): readonly string[] => searchManual(INDEX, question).slice(0, FIVE).map(shown);

interface Question {
  readonly ask: string;
  /** A passage has to have one of these. */
  readonly want: readonly string[];
}
const questionsOf = (file: string): readonly Question[] =>
  readFileSync(new URL(`./${file}.jsonl`, import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

const missedIn = (file: string): readonly string[] =>
  questionsOf(file)
    .filter(({ ask, want }) => !firstFive(ask).some((passage) => want.some((words) => passage.includes(words))))
    .map(({ ask }) => ask);

describe('the manual', () => {
  it('answers at least 57 of 60 questions that were written before it', () => {
    expect(questionsOf('questions')).toHaveLength(60);
    expect(missedIn('questions').length).toBeLessThanOrEqual(3);
  });

  it('answers at least 70 of 90 questions that were written later, in yet other words', () => {
    const missed = ['blind-questions', 'third-questions', 'fourth-questions'].flatMap(missedIn);
    expect(missed.length).toBeLessThanOrEqual(20);
  });

  it.each(['en', 'de'] as const)('finds each verb by its noun and its own sentence in %s', (language) => {
    const lost = operationsIn([...FEATURES, CONSOLE_VERBS]).filter(({ name, summary }) => {
      const sentence = `${name.split(' ')[0]} ${language === 'de' ? inGerman(summary) : summary}`;
      return !firstFive(sentence).some((passage) => new RegExp(`(?:passepartout |/)${name}\\b`).test(passage));
    });
    expect(lost.map(({ name }) => name)).toStrictEqual([]);
  });

  it('finds each command of the command line by its own sentence', async () => {
    const commands = (await loadCommands(['help'])).filter(({ name }) => !['version', 'help'].includes(name));
    const lost = commands.filter(
      ({ name, summary }) =>
        !firstFive(`${name} ${summary}`).some((passage) => new RegExp(`(?:passepartout |/)${name}\\b`).test(passage)),
    );
    expect(commands.length).toBeGreaterThan(40);
    expect(lost.map(({ name }) => name)).toStrictEqual([]);
  });

  it('finds each page by its title, in both languages', () => {
    const lost = MANUAL_PAGES.flatMap(({ title, german }) =>
      [title, german].filter((words) => !firstFive(words)[0]?.startsWith(title)),
    );
    expect(lost).toStrictEqual([]);
  });

  it('names only commands, settings and documents that are there', async () => {
    const commands = (await loadCommands(['help'])).map(({ name }) => name);
    const verbs = operationsIn([...FEATURES, CONSOLE_VERBS]).map(({ name }) => name);
    const scripts = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).scripts;
    const settings = readFileSync(join(ROOT, 'infra/README.md'), 'utf8');
    const isThere = (words: string): boolean => {
      const [, command] = /^npx passepartout ([\w-]+)/.exec(words) ?? [];
      if (command !== undefined) return commands.includes(command);
      const [, script] = /npm run ([\w-]+)/.exec(words) ?? [];
      if (script !== undefined) return script in scripts;
      const [, setting] = /^(?:\/config set )?([A-Z]{3,}_[A-Z_]+)/.exec(words) ?? [];
      if (setting !== undefined) return settings.includes(`| \`${setting}\``);
      const [, noun = '', verb = ''] = /^\/([a-z-]+)(?: ([a-z-]+))?/.exec(words) ?? [];
      return (
        noun === '' ||
        ['help', 'ingest', 'resume', 'stop'].includes(noun) ||
        verbs.includes(noun) ||
        verbs.includes(`${noun} ${verb}`)
      );
    };
    const wrong = MANUAL_PAGES.flatMap(({ steps = [] }) => steps.map(([words]) => words)).filter(
      (words) => !isThere(words),
    );
    expect(wrong).toStrictEqual([]);
    const headings = (file: string) =>
      [...readFileSync(join(ROOT, file), 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
        heading
          .toLowerCase()
          .replace(/[^a-z0-9 -]/g, '')
          .replaceAll(' ', '-'),
      );
    const lost = MANUAL.map(({ see }) => see).filter((see) => {
      const [file = '', anchor] = see.split('#');
      return !existsSync(join(ROOT, file)) || (anchor !== undefined && !headings(file).includes(anchor));
    });
    expect([...new Set(lost)]).toStrictEqual([]);
  });

  it('keeps its bounds, whatever is asked', async () => {
    expect(
      Math.max(...MANUAL.filter(({ kind }) => kind === 'document').map(({ text }) => text.length)),
    ).toBeLessThanOrEqual(1_200);
    // A model gets the titles of all pages with each answer: some 1,500 tokens.
    expect(MANUAL_PAGES.map(({ title }) => title).join('; ').length).toBeLessThanOrEqual(4_500);
    for (const question of ['', '…', '!!! ???', 'x'.repeat(1_000), 'wort '.repeat(200), 'jobs '.repeat(1_000)])
      expect((await recallManual(question)).length).toBeLessThan(16_000);
    expect(await recallManual('qqqq')).toMatch(
      /^No passage of the manual has any of these words\.\n\nPages, to ask for by title: /,
    );
  });

  it('finds a word by its parts, and one a letter away', () => {
    expect(firstFive('Datensicherungskopie')[0]).toContain('passepartout backup');
    expect(firstFive('remindre').join('\n')).toContain('jobs add');
  });
});

describe('recall', () => {
  const ask = async (source?: string) => recall.run({ query: 'pair a machine', ...defined({ source }) }, {} as never);

  it('gives the manual as the product’s own words, which show no object of memory', async () => {
    const { output, origin } = await ask('manual');
    expect(origin).toBe('agent');
    expect(output).toContain('npx passepartout runners pair <name>');
    const all = MANUAL.flatMap(({ title, text }) => [title, ...text.split('\n')]).join('\n');
    expect(shownInResults([{ tool: 'recall', output: all }])).toStrictEqual([]);
  });

  it('takes no other source', async () => {
    await expect(ask('elsewhere')).rejects.toThrow('the arguments do not fit the tool recall');
  });

  it('names the source to a person', () => {
    const args = { query: 'pair', source: 'manual' };
    expect(recall.sentence(args, () => '')).toBe('Look in the manual for “pair”');
    expect(SENTENCES.recall?.(args, () => '')).toBe('Im Handbuch nach „pair“ suchen');
  });
});

describe('findHelp', () => {
  it('says it in the language of who asks', async () => {
    const german = (await findHelp('Wie verbinde ich meinen Rechner?', 'de')).join('\n');
    expect(german).toMatch(/^Im Handbuch steht:\n\nEinen Rechner verbinden, damit er Befehle ausführt/);
    expect(german).toContain('npx passepartout runners pair <name> – auf einem Computer');
    expect((await findHelp('how do I pair a machine?', 'en')).join('\n')).toMatch(
      /^The manual says:\n\nPair a machine, so/,
    );
    expect(await findHelp('qqqq', 'en')).toStrictEqual([]);
  });
});

describe('cutDocument', () => {
  it('makes a passage of each row, of each command, and of the prose of a section', () => {
    const text = [
      '# Shop',
      'Text before.',
      '## Open it & go',
      'It opens when somebody [knocks](x.md) at the door, which takes some seconds at most.',
      '',
      '```sh',
      'npx shop open   # opens it',
      'npx shop',
      '```',
      '| see | why |',
      '|---|---|',
      '| dark | it is closed |',
    ].join('\n');
    const at = { words: '', see: 'shop.md#open-it--go' };
    const title = 'Shop: Open it & go';
    expect(cutDocument('shop.md', text)).toStrictEqual([
      { kind: 'verb', title: 'npx shop open', text: 'opens it', ...at },
      { kind: 'document', title, text: 'see – why', ...at },
      { kind: 'document', title, text: 'dark – it is closed', ...at },
      {
        kind: 'document',
        title,
        text: 'It opens when somebody knocks at the door, which takes some seconds at most.\nnpx shop',
        ...at,
      },
    ]);
  });
});
