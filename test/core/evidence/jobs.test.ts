/**
 * Jobs and skills in an export. Here the log is honest about a dishonest agent: every hash and
 * signature holds, and a moment of a job was left out, moved or told otherwise. Whoever lacks the
 * log's key changes the same things in a file, and is named by the hashes.
 */
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../lib/core/base/json.ts';
import { earlierForms, recordHash } from '../../../lib/core/evidence/record-hash.ts';
import type { MomentsBetween } from '../../../lib/core/evidence/verifier/job-moments.ts';
import { type VerifyOptions, verifyExport } from '../../../lib/core/evidence/verifier/verify-export.ts';
import { buildExportLines } from '../../../lib/core/log/export-lines.ts';
import { definitionHash, type JobDefinition, When } from '../../../lib/features/jobs/job.ts';
import { momentsBetween } from '../../../lib/features/jobs/rule.ts';
import { buildExport, FIRST_KEY, textOf } from './export-world.ts';
import {
  at,
  buildEvents,
  DEFINITIONS,
  EVENTS,
  EXPORTED_AT,
  type LogEvent,
  SKILL_VERSION,
  withFixed,
  worldOf,
} from './job-world.ts';

const compute: MomentsBetween = (when, after, until, most) => momentsBetween(When.parse(when), after, until, most);

const honest = buildExport(worldOf(EVENTS, EXPORTED_AT));
const verify = (lines: readonly string[], options: Partial<VerifyOptions> = {}) =>
  verifyExport(lines, { now: EXPORTED_AT, key: textOf(FIRST_KEY), momentsBetween: compute, ...options });
const wrongOf = async (lines: readonly string[], options: Partial<VerifyOptions> = {}) => {
  const found = await verify(lines, options);
  return 'wrong' in found ? found.wrong : found.status;
};

const idAt = (time: string): string => `job-report-${at(time)}`;
const isOf = (event: LogEvent, kind: string, id: string): boolean =>
  event.record.kind === kind && event.record.id === id;

type Change = (events: readonly LogEvent[]) => readonly LogEvent[];
/** Without a record, or without the last of its leaves. */
const without =
  (kind: string, id: string): Change =>
  (events) =>
    events.filter((event) => !isOf(event, kind, id));
/** An occurrence with everything that its turn did. */
const withoutTurn =
  (id: string): Change =>
  (events) =>
    events.filter(({ leaf }) => leaf.signal.split('/')[0] !== id);
const changed =
  (kind: string, id: string, change: object): Change =>
  (events) =>
    events.map((event) => (isOf(event, kind, id) ? withFixed(event, change) : event));
/** Only the last of a record's leaves, changed. */
const replaced =
  (kind: string, id: string, change: object): Change =>
  (events) => {
    const last = events.findLast((event) => isOf(event, kind, id));
    return events.flatMap((event) => {
      if (!isOf(event, kind, id)) return [event];
      return event === last ? [withFixed(event, change)] : [];
    });
  };
const rewritten =
  (id: string, change: (event: LogEvent) => LogEvent): Change =>
  (events) =>
    events.map((event) => (event.record.id === id ? change(event) : event));
const both =
  (...changes: readonly Change[]): Change =>
  (events) =>
    changes.reduce((all, change) => change(all), events);

/** Another rule under the hash of its own definition, as a dishonest writer would store it. */
const withRule = (id: string, cron: string): Change => {
  const when = { kind: 'cron', cron, zone: 'Europe/Berlin' } as const;
  const definition: JobDefinition = { ...DEFINITIONS.early, when };
  return rewritten(id, (event) => {
    const { record, leaf } = withFixed(event, { when, definition: definitionHash(definition) });
    return { leaf, record: { ...record, content: { definition } } };
  });
};

/** The content of a decision, forgotten as the owner may. */
const forgotten =
  (signal: string): Change =>
  (events) => {
    const covers = [`decision ${signal}`];
    const fixed = { v: 1, object: 'note', hash: 'b'.repeat(64), forgottenAt: EXPORTED_AT, signal: 'con-f', covers };
    const leaf = { signal: 'con-f', actor: 'telegram:7', at: EXPORTED_AT };
    const erase = ({ record: { content: _gone, ...record }, leaf: one }: LogEvent): LogEvent => ({
      record: { ...record, isForgotten: true },
      leaf: one,
    });
    const rest = events.map((event) => (isOf(event, 'decision', signal) ? erase(event) : event));
    return [...rest, { record: { kind: 'tombstone', id: 'note', fixed }, leaf }];
  };

const MISSING = 'an occurrence between is missing';
const MUTATIONS: readonly (readonly [string, Change, string, string, string])[] = [
  [
    'an occurrence is dropped',
    withoutTurn(idAt('10-25T08:30')),
    'occurrence',
    idAt('10-26T08:30'),
    `it says that it follows 2026-10-25T08:30:00.000Z, and the log has 2026-10-24T07:30:00.000Z before it: ${MISSING}`,
  ],
  [
    'an occurrence is dropped, and the next joined to the one before',
    both(withoutTurn(idAt('10-25T08:30')), changed('occurrence', idAt('10-26T08:30'), { after: at('10-24T07:30') })),
    'job',
    'report#1',
    'its moment 2026-10-25T08:30:00.000Z has no occurrence',
  ],
  [
    'the newest occurrence is dropped',
    withoutTurn(idAt('11-01T09:00')),
    'job',
    'report#4',
    'its moment 2026-11-01T09:00:00.000Z has no occurrence',
  ],
  [
    'the first occurrence of a version is dropped',
    withoutTurn(idAt('10-30T09:00')),
    'occurrence',
    idAt('10-31T09:00'),
    `it says that it follows 2026-10-30T09:00:00.000Z, and the log has 2026-10-29T12:00:00.000Z before it: ${MISSING}`,
  ],
  [
    'its moment is changed',
    changed('occurrence', idAt('10-25T08:30'), { instant: at('10-25T07:30') }),
    'occurrence',
    idAt('10-25T08:30'),
    `its record is of ${idAt('10-25T07:30')}`,
  ],
  [
    'its moment is changed with its id, and the chain too',
    both(
      rewritten(idAt('10-25T08:30'), (event) => {
        const { record, leaf } = withFixed(event, { instant: at('10-25T07:30') });
        return { leaf, record: { ...record, id: idAt('10-25T07:30') } };
      }),
      changed('occurrence', idAt('10-26T08:30'), { after: at('10-25T07:30') }),
    ),
    'occurrence',
    idAt('10-25T07:30'),
    'its rule has no such moment',
  ],
  [
    'one that failed says that it fired',
    replaced('occurrence', idAt('10-26T08:30'), { state: 'fired', why: undefined }),
    'occurrence',
    idAt('10-26T08:30'),
    'it says that it did what the job promises, and no effect of its turn did',
  ],
  [
    'one that fired had no effect',
    without('effect', `${idAt('10-30T09:00')}#0`),
    'occurrence',
    idAt('10-30T09:00'),
    'it says that it did what the job promises, and no effect of its turn did',
  ],
  [
    'one that fired was never decided',
    both(without('effect', `${idAt('10-30T09:00')}#0`), without('decision', idAt('10-30T09:00'))),
    'occurrence',
    idAt('10-30T09:00'),
    'it says that it ran, and there is no decision of it',
  ],
  [
    'one that ran says that it was missed',
    replaced('occurrence', idAt('10-30T09:00'), { state: 'missed' }),
    'occurrence',
    idAt('10-30T09:00'),
    'it says missed, and there is a decision of it',
  ],
  [
    'it began before its moment',
    changed('occurrence', idAt('10-31T09:00'), { at: at('10-31T08:59') }),
    'occurrence',
    idAt('10-31T09:00'),
    'it began before its moment',
  ],
  [
    'it says that the clock was changed',
    changed('occurrence', idAt('10-31T09:00'), { isShifted: true }),
    'occurrence',
    idAt('10-31T09:00'),
    'it does not say rightly whether the clock leaves its time out',
  ],
  [
    'it belongs to another version',
    changed('occurrence', idAt('10-25T08:30'), { version: 2 }),
    'occurrence',
    idAt('10-25T08:30'),
    'it is of version 2, and version 1 was in force at its moment',
  ],
  [
    'a run is of a version that is not there',
    changed('occurrence', `${idAt('10-30T10:00')}:run`, { version: 5 }),
    'occurrence',
    `${idAt('10-30T10:00')}:run`,
    'there is no version 5 of its job',
  ],
  [
    'the moment before it is another',
    changed('occurrence', idAt('10-26T08:30'), { after: at('10-24T07:30') }),
    'occurrence',
    idAt('10-26T08:30'),
    `it says that it follows 2026-10-24T07:30:00.000Z, and the log has 2026-10-25T08:30:00.000Z before it: ${MISSING}`,
  ],
  ['a version is dropped', without('job', 'report#3'), 'job', 'report#4', 'version 3 of the job is missing'],
  [
    'the newest version is dropped',
    without('job', 'report#4'),
    'occurrence',
    idAt('10-30T09:00'),
    'there is no version 4 of its job',
  ],
  [
    'nobody made a version',
    without('effect', 'con-2#0'),
    'job',
    'report#2',
    'no effect of the log made it: only an approved action may change a job',
  ],
  [
    'a version was made by another effect',
    changed('job', 'report#2', { effect: 'con-hello-5#0' }),
    'job',
    'report#2',
    'no effect of the log made it: only an approved action may change a job',
  ],
  [
    'a version was made by the effect of another change',
    changed('job', 'report#2', { effect: 'con-3#0' }),
    'job',
    'report#2',
    'the effect that it names made something else: pause-job of report',
  ],
  [
    'the program itself edited the job',
    changed('job', 'report#2', { by: 'system' }),
    'job',
    'report#2',
    'no person made it, and the program itself may only pause or end a job',
  ],
  [
    'a rule is changed',
    changed('job', 'report#1', { when: { kind: 'cron', cron: '30 8 * * *', zone: 'Europe/Berlin' } }),
    'job',
    'report#1',
    'its rule is not the one of its definition',
  ],
  [
    'a rule is changed with its definition',
    withRule('report#1', '30 8 * * *'),
    'job',
    'report#1',
    'its definition is not the one that a person approved',
  ],
  [
    'a rule is changed, and what was approved is forgotten',
    both(withRule('report#1', '30 8 * * *'), forgotten('con-1')),
    'job',
    'report#1',
    'its moment 2026-10-24T06:30:00.000Z has no occurrence',
  ],
  [
    'a rule is changed to a rarer one, and what was approved is forgotten',
    both(withRule('report#1', '30 9 * * 6'), forgotten('con-1')),
    'occurrence',
    idAt('10-25T08:30'),
    'its rule has no such moment',
  ],
  [
    'a rule is no rule, and what was approved is forgotten',
    both(withRule('report#1', 'whenever'), forgotten('con-1')),
    'job',
    'report#1',
    'its rule cannot be computed',
  ],
  [
    'nobody added a skill',
    without('effect', 'con-9#0'),
    'skill',
    EVENTS.find(({ record }) => record.kind === 'skill')?.record.id ?? '',
    'no effect of the log made it: only an approved action may change a skill',
  ],
];

describe('an export with jobs', () => {
  it('verifies, and says how many there are and that their rules were computed', async () => {
    expect(await verify(honest.lines)).toMatchObject({
      status: 'verified',
      jobs: 1,
      occurrences: 8,
      areRulesComputed: true,
    });
    expect(await verify(honest.lines, { momentsBetween: undefined })).toMatchObject({
      status: 'verified',
      areRulesComputed: false,
    });
  });

  it('verifies runs of runbooks, which are decided on step by step, and misses what one promised', async () => {
    const work = { kind: 'runbook', runbook: 'report', hash: '0'.repeat(64), inputs: { week: '47' } } as const;
    const events = buildEvents(work, (run) => `${run}/s1`);
    const { lines } = buildExport(worldOf(events, EXPORTED_AT));
    expect(await verify(lines)).toMatchObject({ status: 'verified', occurrences: 8 });
    const id = idAt('10-30T09:00');
    const silent = buildExport(worldOf(without('effect', `${id}/s1#0`)(events), EXPORTED_AT));
    expect(await wrongOf(silent.lines)).toMatchObject({ kind: 'occurrence', id });
  });

  it('knows a run that a person stopped, also before anything was decided, and nothing follows its end', async () => {
    const id = idAt('10-26T08:30');
    const stopped = replaced('occurrence', id, { state: 'stopped', why: 'stopped by telegram:7' });
    const { lines } = buildExport(worldOf(stopped(EVENTS), EXPORTED_AT));
    expect(await verify(lines)).toMatchObject({ status: 'verified', occurrences: 8 });
    const undecided = both(stopped, without('effect', `${id}#0`), without('decision', id))(EVENTS);
    expect(await verify(buildExport(worldOf(undecided, EXPORTED_AT)).lines)).toMatchObject({ status: 'verified' });
    const twice = stopped(EVENTS).flatMap((event) => (isOf(event, 'occurrence', id) ? [event, event] : [event]));
    const found = await wrongOf(buildExport(worldOf(twice, EXPORTED_AT)).lines);
    expect(found).toMatchObject({ kind: 'occurrence', id, what: expect.stringContaining('it had ended at leaf') });
  });

  it.each(MUTATIONS)('names it if %s, though the log was signed so', async (_, change, kind, id, what) => {
    const { lines } = buildExport(worldOf(change(EVENTS), EXPORTED_AT));
    expect(await wrongOf(lines)).toMatchObject({ kind, id, what: expect.stringContaining(what) });
  });

  it.each(MUTATIONS)('names it if %s in the file alone', async (_, change) => {
    const forged = worldOf(change(EVENTS), EXPORTED_AT);
    const places = new Map(worldOf(EVENTS, EXPORTED_AT).records.map((one) => [`${one.kind} ${one.id}`, one.leaf]));
    const records = forged.records.map((one) => ({ ...one, leaf: places.get(`${one.kind} ${one.id}`) ?? 0 }));
    const sorted = records.toSorted((a, b) => a.leaf - b.leaf);
    const found = await wrongOf([...buildExportLines({ ...honest.parts, records: sorted })]);
    expect(found).toMatchObject({
      kind: expect.stringMatching(/^(occurrence|job|skill|effect|decision|tombstone)$/),
      what: expect.stringMatching(/is missing|was changed|is of|is not its last|no leaf/),
    });
  });

  it('does not expect a moment within ten minutes of the newest leaf, nor soon after a pause of the log', async () => {
    const noted = (minutes: number) => EVENTS.filter(({ leaf }) => leaf.at <= at('11-01T09:00') + minutes * 60_000);
    const dropped = withoutTurn(idAt('11-01T09:00'));
    const statusAfter = (minutes: number) => wrongOf(buildExport(worldOf(dropped(noted(minutes)), EXPORTED_AT)).lines);
    // The log was still since the day before, so the service may have been down until 09:05.
    expect(await statusAfter(10)).toBe('verified');
    expect(await statusAfter(16)).toMatchObject({ kind: 'job', id: 'report#4' });
  });

  const tide = { skill: 'tide', file: 'SKILL.md', replace: 'ebb', with: 'flood' };
  it.each<[string, JsonObject, boolean]>([
    ['add-skill', { files: [], trust: 'owner' }, true],
    ['edit-skill', { ...tide, before: 'b'.repeat(64), after: SKILL_VERSION }, true],
    ['edit-skill', { ...tide, before: 'b'.repeat(64), after: 'd'.repeat(64) }, false],
    ['edit-skill', { ...tide, skill: 'moon', before: 'b'.repeat(64), after: SKILL_VERSION }, false],
    ['accept-offer', { offer: { kind: 'skill', name: 'tide', files: [] } }, true],
    ['accept-offer', { offer: { kind: 'skill', name: 'moon', files: [] } }, false],
    ['accept-offer', { offer: { kind: 'grant', action: 'con-1#0' } }, false],
    ['remove-skill', { name: 'tide' }, false],
    ['switch-skill-jobs', { name: 'tide', isOn: true }, false],
    ['pair-runner', { name: 'tide' }, false],
  ])('a skill that the approved call %s %j put in force: verified is %s', async (tool, args, isVerified) => {
    const { lines } = buildExport(worldOf(buildEvents(undefined, undefined, { tool, args }), EXPORTED_AT));
    const what = 'no effect of the log made it: only an approved action may change a skill';
    expect(await wrongOf(lines)).toStrictEqual(
      isVerified
        ? 'verified'
        : { kind: 'skill', id: expect.stringMatching('con-9#tide#'), index: expect.any(Number), what },
    );
  });

  it('names files of a skill that are not those of its version', async () => {
    const lines = honest.lines.map((line) => line.replace('"path":"SKILL.md"', '"path":"OTHER.md"'));
    expect(await wrongOf(lines)).toMatchObject({ kind: 'skill', what: 'its files are not the ones of its version' });
  });
});

describe('earlierForms', () => {
  it('knows an occurrence as it was before it was closed', () => {
    const [open, closed] = EVENTS.filter((event) => isOf(event, 'occurrence', idAt('10-26T08:30')));
    const [late, closedLate] = EVENTS.filter((event) => isOf(event, 'occurrence', idAt('10-27T09:00')));
    for (const [before, after] of [[open, closed] as const, [late, closedLate] as const]) {
      const forms = earlierForms('occurrence', after?.record.fixed ?? {});
      expect(forms.map((form) => recordHash('occurrence', form))).toStrictEqual([
        recordHash('occurrence', before?.record.fixed ?? {}),
      ]);
    }
  });
});
