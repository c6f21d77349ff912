/** Documents stay true: every link, file, folder, command and setting they name exists. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../../infra/bundling.ts';
import { loadCommands } from '../../infra/cli/command-table.ts';
import { buildOperationsTable } from '../../infra/operations-table.ts';
import { buildEnvExample, putSettingsTable, putTable } from '../../infra/settings-table.ts';

const FILES = execFileSync('git', ['ls-files'], { cwd: ROOT, encoding: 'utf8' }).split('\n');
const textOf = (file: string): string => readFileSync(join(ROOT, file), 'utf8');
const DOCUMENTS = FILES.filter((file) => file.endsWith('.md'));
const SOURCES = FILES.filter((file) => /^(?:infra|lib|functions)\/.*\.ts$/.test(file)).map(textOf);

/** Gives the matches of a pattern's first group in each document, as `document: word`. */
const named = (pattern: RegExp): readonly { readonly document: string; readonly word: string }[] =>
  DOCUMENTS.flatMap((document) => [...textOf(document).matchAll(pattern)].map(([, word = '']) => ({ document, word })));

describe('documents', () => {
  it('are found', () => {
    expect(DOCUMENTS).toContain('lib/README.md');
    expect(named(/`([\w./-]+\.ts)`/g).length).toBeGreaterThan(50);
  });

  it('link to what is there', () => {
    const links = named(/\]\((?!https?:)([^)#]*)(?:#[^)]*)?\)/g).filter(({ word }) => word !== '');
    expect(links.filter(({ document, word }) => !existsSync(join(ROOT, dirname(document), word)))).toStrictEqual([]);
  });

  it('link to headings that are there', () => {
    const slugsOf = (file: string): readonly string[] =>
      [...textOf(file).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
        heading
          .toLowerCase()
          .replace(/[^a-z0-9 -]/g, '')
          .replaceAll(' ', '-'),
      );
    const lost = DOCUMENTS.flatMap((document) =>
      [...textOf(document).matchAll(/\]\((?!https?:)([^)#]*)#([^)]+)\)/g)].filter(
        ([, file = '', slug = '']) => !slugsOf(file === '' ? document : join(dirname(document), file)).includes(slug),
      ),
    );
    expect(lost.map(([link]) => link)).toStrictEqual([]);
  });

  it('name files that are there', () => {
    const isThere = (word: string): boolean =>
      FILES.some((file) => `/${file}`.endsWith(`/${word.replace(/^(?:\.\.?\/)+/, '')}`));
    expect(named(/`([\w./-]+\.ts)`/g).filter(({ word }) => !isThere(word))).toStrictEqual([]);
  });

  it('have a row and a page of at most 60 lines for each feature', () => {
    const features = [...new Set(FILES.flatMap((file) => /^lib\/features\/([^/.]+)\//.exec(file)?.[1] ?? []))];
    const pages = features.map((feature) => `features/${feature}/README.md`);
    const rows = [...textOf('lib/README.md').matchAll(/^\| \[[a-z]+\]\((features\/[^)]*)\) \|/gm)];
    expect(rows.map(([, page]) => page)).toStrictEqual(pages.toSorted());
    expect(pages.filter((page) => textOf(`lib/${page}`).split('\n').length > 61)).toStrictEqual([]);
  });

  it('name, in the list of rooms, files of that room', () => {
    const rows = [...textOf('lib/README.md').matchAll(/^\| `([a-z]+)` \|.*\| ([^|]*) \|$/gm)];
    const files = rows.flatMap(([, room = '', start = '']) =>
      [...start.matchAll(/`([\w./-]+\.ts)`/g)].map(([, file = '']) => `lib/core/${room}/${file}`),
    );
    expect(files.length).toBeGreaterThan(30);
    expect(files.filter((file) => !FILES.includes(file))).toStrictEqual([]);
  });

  it('name folders that are there', () => {
    const folders = named(/`((?:lib|infra|test|functions)\/[\w/-]+)`/g);
    expect(folders.filter(({ word }) => !existsSync(join(ROOT, word)))).toStrictEqual([]);
  });

  it('name commands that there are', async () => {
    const names = (await loadCommands([])).map(({ name }) => name.split(' ')[0]);
    const asked = named(/(?:npx |(?<!\.))passepartout ([a-z][a-z-]*)\b/g);
    expect(asked.filter(({ word }) => !names.includes(word) && word !== 'help')).toStrictEqual([]);
  });

  it('have the table of settings as the catalogue makes it', () => {
    const readme = textOf('infra/README.md');
    expect(readme, '`npm run settings` writes this table').toBe(putSettingsTable(readme));
    expect(textOf('.env.example'), '`npm run settings` writes this file').toBe(buildEnvExample());
  });

  it('have the table of operations that the catalogue gives', () => {
    const readme = readFileSync(join(ROOT, 'lib/core/operations/README.md'), 'utf8');
    const advice = '`npm run operations` writes this table';
    expect(readme, advice).toBe(putTable(readme, 'operations', buildOperationsTable()));
  });

  it('quote what the product says', () => {
    const said = [...SOURCES, textOf('infra/check-install.js')].join('\n');
    const seen = [...textOf('infra/troubleshooting.md').matchAll(/^\| (.*?) \|/gm)].map(([, column = '']) => column);
    const parts = seen.flatMap((column) =>
      [...column.matchAll(/"(.*?)"(?=$|[, ])/g)].flatMap(([, words = '']) =>
        words.split('…').map((part) => part.trim()),
      ),
    );
    expect(parts.length).toBeGreaterThan(100);
    expect(parts.filter((part) => !said.includes(part))).toStrictEqual([]);
  });

  it('name settings that there are', () => {
    const settings = named(/`([A-Z][A-Z0-9]*_[A-Z0-9_]+)`/g);
    expect(settings.filter(({ word }) => !SOURCES.some((source) => source.includes(word)))).toStrictEqual([]);
  });
});
