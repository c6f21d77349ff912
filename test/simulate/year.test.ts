import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { someOf } from '../support/sample.ts';
import { checkJobs, JOB_RULES } from './check/jobs.ts';
import { buildJobsRun, type Job, type Occurrence, type Version } from './check/jobs-view.ts';
import type { ObservedJobs, Violation } from './types.ts';

const run = promisify(execFile);
const pathOf = (file: string): string => fileURLToPath(new URL(file, import.meta.url));

type World = { -readonly [K in keyof ObservedJobs]: ObservedJobs[K] };
type Line = { fixed: Record<string, unknown>; content: { definition: { overlap: string } }; id: string };

let jobs: readonly Job[];
const { stdout } = await run(process.execPath, [pathOf('year/print-observed.ts')], { maxBuffer: 2 ** 28 });
const { seen, violations, wrong }: { seen: ObservedJobs; violations: readonly Violation[]; wrong?: string } =
  JSON.parse(stdout);
expect([violations, wrong]).toStrictEqual([[], undefined]);
const honest = seen;
({ jobs } = buildJobsRun(seen));

/** The id of the first occurrence that fits. */
const one = (fits: (one: Occurrence, job: Job) => boolean): string => {
  const found = jobs.flatMap((job) => job.occurrences.filter((occurrence) => fits(occurrence, job)))[0];
  if (found === undefined) throw new Error('the honest run has no such occurrence');
  return found.id;
};
/** The first version that fits. */
const version = (fits: (version: Version, job: Job) => boolean): string => {
  const found = jobs.flatMap((job) => job.versions.filter((made) => fits(made, job)))[0];
  if (found === undefined) throw new Error('the honest run has no such version');
  return found.id;
};

/** Changes the record of an occurrence or a version; leaves it out if nothing is given back. */
const record = (world: World, id: string, change: (line: Line) => Line | undefined): void => {
  const lines = world.exported.split('\n');
  const at = lines.findIndex((text) => /"kind":"(?:occurrence|job)"/.test(text) && text.includes(`"id":"${id}"`));
  const changed = change(JSON.parse(lines[at] ?? ''));
  lines.splice(at, 1, ...(changed === undefined ? [] : [JSON.stringify(changed)]));
  world.exported = lines.join('\n');
};
const fixed = (world: World, id: string, changes: Record<string, unknown>): void =>
  record(world, id, (line) => ({ ...line, fixed: { ...line.fixed, ...changes } }));

const isRule = ({ kind }: Occurrence): boolean => kind === 'rule';
const isPlain = (found: Occurrence, { versions }: Job): boolean =>
  isRule(found) && found.state === 'fired' && versions[found.version - 1]?.definition.text?.startsWith('tick') === true;
const atOf = (id: string): Occurrence => {
  const found = jobs.flatMap(({ occurrences }) => occurrences).find((occurrence) => occurrence.id === id);
  if (found === undefined) throw new Error(`there is no ${id}`);
  return found;
};
const nameOf = (id: string): string => /^job-(job-\d+)-/.exec(id)?.[1] ?? '';

/** Of each rule, things that may not be. */
const CASES: readonly (readonly [rule: string, what: string, mutate: (world: World) => void])[] = [
  ['job-moment', 'a moment has no occurrence', (world) => record(world, one(isPlain), () => undefined)],
  [
    'job-moment',
    'a moment has two',
    (world) => {
      const id = one(isPlain);
      const line = world.exported.split('\n').find((text) => text.includes(`"occurrence","id":"${id}"`)) ?? '';
      world.exported = world.exported.replace(line, `${line}\n${line.replace(id, `${id}x`)}`);
    },
  ],
  [
    'job-moment',
    'it is another moment',
    (world) => fixed(world, one(isPlain), { instant: atOf(one(isPlain)).instant - 60_000 }),
  ],
  ['job-moment', 'it names another moment before it', (world) => fixed(world, one(isPlain), { after: 1 })],
  [
    'job-early',
    'it began before its moment',
    (world) => fixed(world, one(isPlain), { at: atOf(one(isPlain)).instant - 1 }),
  ],
  [
    'job-late',
    'it does not say how late it was',
    (world) =>
      fixed(
        world,
        one(({ state }) => state === 'late'),
        { lateMs: undefined },
      ),
  ],
  [
    'job-late',
    'it says that it was later',
    (world) =>
      fixed(
        world,
        one(({ state }) => state === 'late'),
        { lateMs: 9e8 },
      ),
  ],
  [
    'job-on-time',
    'it waited for no reason',
    (world) => {
      world.gaps = [];
      world.troubles = [];
    },
  ],
  [
    'job-shifted',
    'it hides a shift',
    (world) =>
      fixed(
        world,
        one(({ isShifted }) => isShifted),
        { isShifted: undefined },
      ),
  ],
  ['job-shifted', 'it invents a shift', (world) => fixed(world, one(isPlain), { isShifted: true })],
  [
    'job-policy',
    'nothing says why it is missed',
    (world) =>
      fixed(
        world,
        one(({ state }) => state === 'missed'),
        { why: '' },
      ),
  ],
  [
    'job-policy',
    'a run on time counts as missed',
    (world) => fixed(world, one(isPlain), { state: 'missed', why: 'x' }),
  ],
  [
    'job-policy',
    'no run was in the way',
    (world) => fixed(world, one(isPlain), { state: 'skipped', why: 'the run before it has not ended' }),
  ],
  [
    'job-policy',
    'nobody stopped anything',
    (world) => {
      world.asks = world.asks.filter(({ verb }) => verb !== 'stop');
      fixed(world, one(isPlain), { state: 'skipped', why: 'everything was stopped' });
    },
  ],
  [
    'job-seen',
    'nobody saw it',
    (world) => {
      const text = `"tick ${nameOf(one(isPlain))}"`;
      world.received = world.received.filter(({ request }) => !request.body.includes(text));
    },
  ],
  [
    'job-seen',
    'a text was seen twice',
    (world) => {
      const text = `"tick ${nameOf(one(isPlain))}"`;
      world.received = world.received.flatMap((seen) => (seen.request.body.includes(text) ? [seen, seen] : [seen]));
    },
  ],
  [
    'job-seen',
    'one that never ran says that it did',
    (world) =>
      fixed(
        world,
        one((found) => isRule(found) && found.state === 'missed'),
        { state: 'fired' },
      ),
  ],
  ['job-closed', 'a run never ended', (world) => fixed(world, one(isPlain), { closedAt: undefined })],
  [
    'job-closed',
    'messages are left',
    (world) => {
      world.isUnfinished = true;
    },
  ],
  [
    'job-paused',
    'a job was paused too early',
    (world) => {
      const name = version(({ why }) => why.startsWith('paused after')).split('#')[0];
      const ended = jobs.find((job) => job.name === name)?.occurrences.filter(({ hasRun }) => hasRun) ?? [];
      for (const { id } of ended) fixed(world, id, { state: 'fired' });
    },
  ],
  [
    'job-version',
    'a version is missing',
    (world) =>
      record(
        world,
        version((_, { versions }) => versions.length > 1),
        () => undefined,
      ),
  ],
  [
    'job-version',
    'a definition was changed',
    (world) =>
      record(
        world,
        version(({ why }) => why === 'made'),
        (line) => {
          line.content.definition.overlap = 'x';
          return line;
        },
      ),
  ],
  [
    'job-asked',
    'nobody asked for it',
    (world) => {
      world.asks = world.asks.filter(({ name }) => name !== version(({ why }) => why === 'made').split('#')[0]);
    },
  ],
  [
    'job-wanted',
    'an event is not answered',
    (world) =>
      record(
        world,
        one(({ kind }) => kind === 'event'),
        () => undefined,
      ),
  ],
  [
    'job-wanted',
    'nobody sent the event',
    (world) =>
      fixed(
        world,
        one(({ kind }) => kind === 'event'),
        { eventId: 'wh-shop:msg_x' },
      ),
  ],
  [
    'job-wanted',
    'an event starts a paused job',
    (world) => fixed(world, `${nameOf(one(({ kind }) => kind === 'event'))}#1`, { state: 'paused' }),
  ],
  [
    'job-condition',
    'its condition is false',
    (world) => {
      const id = one(({ kind }) => kind === 'condition');
      fixed(world, id, { at: (Math.floor(atOf(id).at / 432_000_000) + 0.9) * 432_000_000 });
    },
  ],
  ['awaited', 'a write was left', (world) => Object.assign(world, { left: ['act-1 PutItem'] })],
  ['log', 'a record is not the one of its leaf', (world) => fixed(world, one(isPlain), { why: 'x' })],
];

describe('checkJobs', () => {
  it.each(someOf('broken promises of jobs', CASES, 8))('%s finds that %s', (rule, _what, mutate) => {
    const world: World = { ...honest };
    mutate(world);
    expect(checkJobs(world).map((violation) => violation.rule)).toContain(rule);
  });

  it('has a case for each rule', () => {
    expect(JOB_RULES.map(({ name }) => name).filter((name) => !CASES.some(([rule]) => rule === name))).toStrictEqual(
      [],
    );
  });
});
