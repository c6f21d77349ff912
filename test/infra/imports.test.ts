/**
 * The direction of imports, read from the source itself: the part of I2 that IAM cannot enforce.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../../infra/bundling.ts';
import { FEATURES } from '../../lib/features/features.ts';

const FOLDERS = ['functions', 'infra', 'lib'];
const IMPORT = /(?:(?:import|export)\s(type\s)?[^'();]*?from|import)\s*\(?\s*'([^']+)'/g;

interface Import {
  /** Loaded with the file: no type alone, and not late. */
  readonly isStatic: boolean;
  /** Importing file, from the root. */
  readonly file: string;
  /** Imported file from the root, or the package. */
  readonly target: string;
}

const imports: Import[] = FOLDERS.flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => {
      const path = join(ROOT, folder, file);
      return [...readFileSync(path, 'utf8').matchAll(IMPORT)].map(([words, type, specifier = '']) => ({
        isStatic: type === undefined && !words.includes('('),
        file: relative(ROOT, path),
        target: specifier.startsWith('.') ? relative(ROOT, resolve(dirname(path), specifier)) : specifier,
      }));
    }),
);

const staticImports = imports.filter(({ isStatic }) => isStatic);

const offenders = (isTarget: (target: string) => boolean, isAllowed: (file: string) => boolean): string[] =>
  imports
    .filter(({ file, target }) => isTarget(target) && !isAllowed(file))
    .map(({ file, target }) => `${file} → ${target}`);

const reachableFrom = (entry: string, among = imports): ReadonlySet<string> => {
  const seen = new Set([entry]);
  for (const file of seen) for (const { target } of among.filter((one) => one.file === file)) seen.add(target);
  return seen;
};

/**
 * Rooms of `lib/core`, the lowest first, and `lib/features` above them: a room imports itself and
 * rooms before it. `lib/README.md` shows the same list.
 */
const ROOMS = [
  ...[
    'base',
    'signal',
    'store',
    'http',
    'money',
    'text',
    'language',
    'sandbox',
    'gates',
    'ledger',
    'approvals',
    'llm',
    'evidence',
    'memory',
  ],
  ...['tools', 'judge', 'log', 'prompt', 'operations', 'stages', 'verbs', 'channels', 'actuators', 'edge', 'features'],
];
/** Lines of TypeScript in `lib/core`. */
const CORE_LINES_MAX = 63_400;

const roomOf = (file: string): string => file.split('/')[file.startsWith('lib/core/') ? 2 : 1] ?? '';

/** The lists of features, and the only importers of those that lower rooms read. */
const LISTS: Readonly<Record<string, readonly string[]>> = {
  'lib/features/channels.ts': ['lib/core/signal/channels.ts'],
  'lib/features/settings.ts': ['lib/core/store/settings.ts'],
  'lib/features/tools.ts': ['lib/core/tools/catalogue.ts'],
  'lib/features/stored-german.ts': ['lib/core/language/stored-german.ts'],
  'lib/features/presets.ts': [
    'lib/core/store/declared-facts.ts',
    'lib/core/store/setting-forms.ts',
    'lib/core/tools/webhooks.ts',
  ],
  'lib/features/function-names.ts': ['lib/core/store/settings.ts'],
  'lib/features/file-parts.ts': ['lib/core/tools/file-parts.ts'],
  'lib/features/lookups.ts': ['lib/core/tools/form-lookups.ts'],
  'lib/features/job-work.ts': [],
  'lib/features/built-in-jobs.ts': [],
  'lib/features/verifier-knowledge.ts': ['lib/core/edge/console/page/app/verifier/worker.ts'],
  'lib/features/gates.ts': ['lib/core/stages/gate-sets.ts'],
  'lib/features/tool-rules.ts': ['lib/core/judge/rules-of-features.ts'],
  'lib/features/runbook-checks.ts': [],
  'lib/features/tool-parts.ts': ['lib/core/tools/parts.ts'],
  'lib/features/services.ts': ['lib/core/tools/services.ts'],
  'lib/features/facts.ts': ['lib/core/judge/gather-facts.ts'],
  'lib/features/policies.ts': ['lib/core/judge/load-policy.ts'],
  'lib/features/records.ts': ['lib/core/stages/turn-records.ts'],
  'lib/features/reason.ts': [
    'lib/core/stages/reason/attempt.ts',
    'lib/core/stages/reason/build-turn-prompt.ts',
    'lib/core/stages/reason/decide-reading.ts',
    'lib/core/stages/reason/reason.ts',
  ],
  'lib/features/lazy-reason.ts': ['lib/core/stages/reason/lazy.ts', 'lib/core/stages/reason/refuse.ts'],
  'lib/features/evidence-rows.ts': ['lib/core/log/collect.ts'],
  'lib/features/row-lines.ts': ['lib/core/verbs/signals/change-lines.ts'],
  'lib/features/views.ts': ['lib/core/verbs/signals/lazy.ts'],
  'lib/features/doors.ts': [],
  'lib/features/sentences-german.ts': ['lib/core/tools/sentences-german.ts'],
  'lib/features/features.ts': [],
  'lib/features/small-handlers.ts': [],
  'lib/features/manual-pages.ts': [],
  'lib/features/recall-sources.ts': ['lib/core/prompt/system-section.ts', 'lib/core/tools/recall.ts'],
  'lib/features/setting-parsers.ts': [],
  'lib/features/act.ts': ['lib/core/actuators/lazy.ts'],
  'lib/features/senders.ts': ['lib/core/channels/senders.ts'],
  'lib/features/console.ts': ['lib/core/edge/console/routes.ts'],
  'lib/features/console-parts.ts': ['lib/core/edge/console/lazy.ts'],
  'lib/features/step-counters.ts': ['lib/core/edge/console/name-signals.ts'],
  'lib/features/restored.ts': [],
  'lib/features/ending.ts': [],
  'lib/features/lazy.ts': [],
  'functions/act/features.ts': [],
  'functions/act/lazy.ts': [],
  'functions/document/features.ts': [],
  'functions/mcp/features.ts': [],
  'functions/responses/features.ts': [],
  'functions/traces/features.ts': [],
  'functions/heartbeat/features.ts': [],
  'functions/log/features.ts': [],
  'functions/perceive/features.ts': [],
  'functions/webhook/features.ts': [],
  'infra/cli/command-table.ts': [],
  'infra/cli/feature-german.ts': ['infra/cli/sentences-german.ts'],
  'infra/cli/features.ts': [],
  'infra/cli/doctor/feature-checks.ts': [],
  'infra/feature-functions.ts': [],
  'infra/features.ts': [],
  'infra/cli/setup/feature-steps.ts': [],
  'infra/local/features.ts': [],
  'infra/browser-parts.ts': [],
};
const isListed = ({ file, target }: Pick<Import, 'file' | 'target'>): boolean => LISTS[target]?.includes(file) === true;

/** Functions that one feature has, and the folders of programs elsewhere. */
const OWNED: Readonly<Record<string, string>> = {
  'infra/runner/': 'runner',
  'functions/mail/': 'mail',
  'functions/signal/': 'signal',
  'functions/slack/': 'slack',
  'functions/telegram/': 'telegram',
};
/** The feature of a file in its folder, or in that of its programs; undefined for all else. */
const featureOf = (file: string): string | undefined =>
  /^(?:lib|infra)\/features\/([^/.]+)\//.exec(file)?.[1] ??
  Object.entries(OWNED).find(([folder]) => file.startsWith(folder))?.[1];

const needsOf = (feature: string): readonly string[] => FEATURES.find(({ name }) => name === feature)?.needs ?? [];

describe('imports', () => {
  it('are seen by this test at all', () => {
    expect(imports.filter(({ target }) => target === 'lib/core/base/limits.ts').length).toBeGreaterThan(3);
  });

  it('lead from a room of lib to itself and to lower rooms', () => {
    const upward = imports.filter(
      ({ file, target }) =>
        file.startsWith('lib/') &&
        target.startsWith('lib/') &&
        !isListed({ file, target }) &&
        !ROOMS.slice(0, ROOMS.indexOf(roomOf(file)) + 1).includes(roomOf(target)),
    );
    expect(upward).toStrictEqual([]);
  });

  it('lead to a feature from its own folder, from the lists, and from features that need it', () => {
    const strangers = imports.flatMap(({ file, target }) => {
      const [from, to] = [featureOf(file), featureOf(target)];
      if (to === undefined || from === to || LISTS[file] !== undefined) return [];
      if (from === undefined) return [`${file} → ${target}: only lists may`];
      return needsOf(from).includes(to) ? [] : [`${file} → ${target}: ${from} in features.ts lacks needs: ['${to}']`];
    });
    expect(strangers).toStrictEqual([]);
  });

  it('are needed for each feature that another one names, and never both ways', () => {
    const named = FEATURES.flatMap(({ name, needs = [] }) => needs.map((need) => [name, need] as const));
    const used = new Set(imports.map(({ file, target }) => `${featureOf(file)} ${featureOf(target)}`));
    expect(named.filter(([name, need]) => !used.has(`${name} ${need}`))).toStrictEqual([]);
    expect(named.filter(([name, need]) => needsOf(need).includes(name))).toStrictEqual([]);
  });

  it.each(Object.entries(LISTS).flatMap(([list, importers]) => importers.map((importer) => [list, importer] as const)))(
    'lead from the list %s to files that do not need %s, which reads it',
    (list, importer) => {
      // Code that is loaded late may need it: by then both are there.
      const rows = imports.filter(({ file }) => file === list).map(({ target }) => target);
      const needed = rows.flatMap((row) => [...reachableFrom(row, staticImports)]);
      expect(needed).not.toContain(importer);
    },
  );

  it('leave the core no larger than a person can come to know', () => {
    const files = readdirSync(join(ROOT, 'lib/core'), { recursive: true, encoding: 'utf8' });
    const lines = files
      .filter((file) => file.endsWith('.ts'))
      .map((file) => readFileSync(join(ROOT, 'lib/core', file), 'utf8').split('\n').length - 1);
    // It may only fall: what one feature alone needs belongs into its folder.
    expect(lines.reduce((sum, count) => sum + count, 0)).toBeLessThan(CORE_LINES_MAX);
  });

  it('know every room there is', () => {
    expect(ROOMS.toSorted()).toStrictEqual([...readdirSync(join(ROOT, 'lib/core')), 'features'].toSorted());
    expect(readdirSync(join(ROOT, 'lib')).toSorted()).toStrictEqual(['README.md', 'core', 'features']);
    const picture = readFileSync(join(ROOT, 'lib/README.md'), 'utf8');
    const shown = [...picture.matchAll(/^\| `([a-z]+)` \|/gm)].map(([, room]) => room);
    expect(shown).toStrictEqual(ROOMS);
  });

  it.each<[string, (target: string) => boolean, (file: string) => boolean]>([
    [
      'actuators only by Act, the local stack and each other (I2)',
      (target) => target.startsWith('lib/core/actuators/'),
      (file) => /^(functions\/act\/|lib\/core\/actuators\/|infra\/)/.test(file),
    ],
    [
      'the AWS SDK only by lib/core/store',
      (target) => target.startsWith('@aws-sdk/'),
      (file) => file.startsWith('lib/core/store/'),
    ],
    ['functions only by nobody', (target) => target.startsWith('functions/'), (file) => file.startsWith('functions/')],
    ['infra never by lib or functions', (target) => target.startsWith('infra/'), (file) => file.startsWith('infra/')],
    ['aws-cdk-lib only by infra', (target) => target.startsWith('aws-cdk-lib'), (file) => file.startsWith('infra/')],
  ])('%s', (_, isTarget, isAllowed) => {
    expect(offenders(isTarget, isAllowed)).toStrictEqual([]);
  });

  it('bring actuators into the bundle of Act and of no other function (I2)', () => {
    const handlers = [...new Set(imports.map(({ file }) => file))].filter((file) =>
      /^functions\/[^/]+\/handler\.ts$/.test(file),
    );
    const holders = handlers.filter((handler) =>
      [...reachableFrom(handler)].some((file) => /^lib\/(?:core\/actuators\/|features\/act\.ts)/.test(file)),
    );
    expect(handlers.length).toBeGreaterThanOrEqual(8);
    expect(holders).toStrictEqual(['functions/act/handler.ts']);
  });
});
