/**
 * The evidence of a space with one job: made, edited, paused and resumed by a person, with moments
 * that were kept, late, missed, skipped and failed, a run that a person wanted, and a skill. It is
 * a list of events, so that a test can leave one out or change it and build the rest again.
 */

import { JsonObject } from '../../../lib/core/base/json.ts';
import type { Leaf } from '../../../lib/core/evidence/leaf.ts';
import { recordHash } from '../../../lib/core/evidence/record-hash.ts';
import { buildDecisionRecord, buildEffectRecord } from '../../../lib/core/log/evidence-records.ts';
import type { ExportRecord } from '../../../lib/core/log/export-lines.ts';
import type { Action } from '../../../lib/core/signal/action.ts';
import type { Effect } from '../../../lib/core/signal/decision.ts';
import { buildJobRecord, buildOccurrenceRecord } from '../../../lib/features/jobs/evidence-rows.ts';
import { definitionHash, type JobDefinition, type JobState } from '../../../lib/features/jobs/job.ts';
import { type Occurrence, occurrenceId, runId } from '../../../lib/features/jobs/occurrence.ts';
import { buildSkillRecord } from '../../../lib/features/skills/evidence-rows.ts';
import { versionOf } from '../../../lib/features/skills/skill-files.ts';
import { notice, reply, toolCall } from '../gates/samples.ts';
import { claimOf, decisionOf, GATE_SET_VERSION, judgeAction, SPACE, type World } from './export-world.ts';

/** One step of the log: a record as it is from then on, and the rest of its leaf. */
export interface LogEvent {
  readonly record: Omit<ExportRecord, 'leaf'>;
  readonly leaf: Pick<Leaf, 'signal' | 'actor' | 'at'> & { readonly state?: string };
}

/** An event with another fixed part, and the state of its leaf to fit. */
export const withFixed = (event: LogEvent, change: object): LogEvent => {
  const fixed = { ...event.record.fixed, ...change };
  for (const [name, value] of Object.entries(fixed)) if (value === undefined) Reflect.deleteProperty(fixed, name);
  const { state } = fixed as { state?: string };
  return {
    record: { ...event.record, fixed },
    leaf: state === undefined ? event.leaf : { ...event.leaf, state },
  };
};

/** Hashes the events: each record has the leaf of its last one. */
export const worldOf = (events: readonly LogEvent[], exportedAt: number): World => {
  const records = new Map<string, ExportRecord>();
  const leaves = events.map(({ record, leaf }, index) => {
    const { kind, id, fixed } = record;
    records.set(`${kind} ${id}`, { ...record, leaf: index });
    return { v: 1, kind, space: SPACE, id, hash: recordHash(kind, fixed), ...leaf } as Leaf;
  });
  return { exportedAt, leaves, records: [...records.values()], sizes: [leaves.length] };
};

const OWNER = 'telegram:7';
export const at = (time: string): number => Date.parse(`2026-${time}:00Z`);

const definitionOf = (cron: string): JobDefinition => ({
  name: 'report',
  when: { kind: 'cron', cron, zone: 'Europe/Berlin' },
  work: { kind: 'prompt', text: 'Say how the violet heron is.' },
  to: [{ target: 'telegram', to: '7' }],
  catchUp: { mode: 'once', minutes: 360, runs: 1 },
  overlap: 'skip',
  spreadSeconds: 0,
  pauseAfter: 5,
  promises: 'reply',
});
export const DEFINITIONS = { early: definitionOf('30 9 * * *'), later: definitionOf('0 10 * * *') } as const;

const argsOf = (tool: string, definition: JobDefinition): JsonObject =>
  tool === 'schedule-job' ? JsonObject.parse(definition) : { name: definition.name };

/** Files of the skill `tide`. */
const FILES = [{ path: 'SKILL.md', sha256: 'c'.repeat(64), bytes: 10 }];
export const SKILL_VERSION = versionOf(FILES);

/**
 * @param work of the job, if it is no question @param signalOf the signal that a run acts by
 * @param skillCall the call that puts the skill `tide` in force
 */
export const buildEvents = (
  work: JobDefinition['work'] = DEFINITIONS.early.work,
  signalOf: (run: string) => string = (run) => run,
  skillCall: { readonly tool: string; readonly args: JsonObject } = { tool: 'add-skill', args: {} },
): readonly LogEvent[] => {
  const events: LogEvent[] = [];
  const gateSet = GATE_SET_VERSION();
  /** A decision on these actions, and the end of each effect. */
  const act = (signal: string, time: number, actions: readonly (readonly [Action, Effect['state']])[]): void => {
    const leaf = { signal, actor: OWNER, at: time };
    const judged = actions.map(([action]) => judgeAction(action, 'pass', time));
    const [first] = judged;
    if (first === undefined) throw new Error('a decision needs an action');
    const decision = { ...decisionOf(signal, time, first, gateSet), actions: judged };
    events.push({ record: { kind: 'decision', ...buildDecisionRecord(decision, []) }, leaf });
    for (const [n, one] of judged.entries()) {
      const state = actions[n]?.[1] ?? 'done';
      const actuator = one.action.target;
      const effect: Effect = { ...claimOf(one, time + 20, undefined), n, actuator, state, settledAt: time + 40 };
      const record = { kind: 'effect', ...buildEffectRecord(signal, effect) } as const;
      events.push({ record, leaf: { ...leaf, at: time + 40, state } });
    }
  };
  let versions = 0;
  const change = (time: number, tool: string, definition: JobDefinition, state: JobState, why: string): void => {
    versions += 1;
    const signal = `con-${versions}`;
    act(signal, time - 20, [[toolCall({ tool, args: argsOf(tool, definition) }), 'done']]);
    const common = { name: definition.name, n: versions, definition, hash: definitionHash(definition) };
    const made = { from: time, by: OWNER, why, signalId: signal, effectId: `${SPACE}/${signal}#0` };
    const record = buildJobRecord({ schemaVersion: 1, ...common, state, ...made });
    events.push({ record: { kind: 'job', ...record }, leaf: { signal, actor: OWNER, at: time, state } });
  };
  const occur = (id: string, one: Omit<Occurrence, 'schemaVersion' | 'job' | 'looks'>): void => {
    const occurrence: Occurrence = { schemaVersion: 1, job: 'report', looks: 0, ...one };
    const record = { kind: 'occurrence', ...buildOccurrenceRecord(id, occurrence) } as const;
    const leaf = { signal: id, actor: 'job:report', at: one.closedAt ?? one.at, state: one.state };
    events.push({ record, leaf });
  };
  const moment = (
    version: number,
    after: number,
    instant: number,
    state: Occurrence['state'],
    more: Partial<Occurrence> = {},
  ): void => {
    const id = occurrenceId('report', instant);
    const begun = instant + 30_000 + (more.lateMs ?? 0);
    const common = { version, kind: 'rule', instant, after, at: begun, ...more } as const;
    if (state === 'missed' || state === 'skipped') {
      occur(id, { ...common, state, why: 'the service was down', closedAt: begun });
      return;
    }
    const begins = more.lateMs === undefined ? 'fired' : 'late';
    occur(id, { ...common, state: begins });
    if (state === 'failed') {
      act(signalOf(id), begun + 1_000, [[reply(), 'failed']]);
      act(`${id}/1`, begun + 2_000, [[notice(), 'done']]);
    } else act(signalOf(id), begun + 1_000, [[reply(), 'done']]);
    occur(id, { ...common, state, closedAt: begun + 60_000, ...(state === 'failed' ? { why: 'it failed' } : {}) });
  };

  const early = { ...DEFINITIONS.early, work };
  const later = { ...DEFINITIONS.later, work };
  change(at('10-23T12:00'), 'schedule-job', early, 'active', 'made');
  moment(1, at('10-23T12:00'), at('10-24T07:30'), 'fired');
  moment(1, at('10-24T07:30'), at('10-25T08:30'), 'missed');
  moment(1, at('10-25T08:30'), at('10-26T08:30'), 'failed');
  change(at('10-26T12:00'), 'schedule-job', later, 'active', 'edited');
  moment(2, at('10-26T12:00'), at('10-27T09:00'), 'late', { lateMs: 600_000 });
  change(at('10-27T12:00'), 'pause-job', later, 'paused', 'paused');
  change(at('10-29T12:00'), 'resume-job', later, 'active', 'resumed');
  moment(4, at('10-29T12:00'), at('10-30T09:00'), 'fired');
  const wanted = at('10-30T10:00');
  occur(runId('report', wanted), { version: 4, kind: 'run', instant: wanted, at: wanted, state: 'fired' });
  act('con-9', at('10-30T11:00'), [[toolCall(skillCall), 'done']]);
  const skill = { schemaVersion: 1, name: 'tide', hash: SKILL_VERSION, files: FILES, trust: 'outside' } as const;
  const record = buildSkillRecord({ ...skill, by: OWNER, at: at('10-30T11:00'), signalId: 'con-9' });
  events.push({
    record: { kind: 'skill', ...record },
    leaf: { signal: 'con-9', actor: OWNER, at: at('10-30T11:00') },
  });
  moment(4, at('10-30T09:00'), at('10-31T09:00'), 'skipped');
  moment(4, at('10-31T09:00'), at('11-01T09:00'), 'fired');
  // The service goes on: what has no occurrence now is missing.
  for (let minutes = 5; minutes <= 60; minutes += 5)
    act(`con-hello-${minutes}`, at('11-01T09:00') + minutes * 60_000, [[reply(), 'done']]);
  return events;
};

export const EVENTS = buildEvents();
export const EXPORTED_AT = at('11-01T10:01');
