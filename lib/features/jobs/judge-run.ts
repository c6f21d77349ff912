/** How a run ended, by its effects: without the promised one it did nothing. Pure. */

import { isWebhookCopy } from '../../core/judge/build-actions.ts';
import type { Run } from '../../core/ledger/run.ts';
import { type Action, isText } from '../../core/signal/action.ts';
import type { EffectState } from '../../core/signal/decision.ts';
import { isMcpTool } from '../../core/signal/mcp-name.ts';
import type { SignalState } from '../../core/signal/signal.ts';
import { findTool } from '../../core/tools/catalogue.ts';
import type { JobDefinition } from './job.ts';
import type { Occurrence } from './occurrence.ts';

/** An action that a model or the owner wrote, with what became of it. */
export interface DoneAction {
  readonly action: Action;
  /** Absent if the gates refused it before Act. */
  readonly state: EffectState | undefined;
  readonly reason: string | undefined;
}

export interface EndedTurn {
  readonly states: readonly SignalState[];
  readonly actions: readonly DoneAction[];
  /** Plain words of the ledger about an unusual end. */
  readonly stateReason: string | undefined;
}

/** The outcome of a run; without a state it stays `fired` or `late`. */
export type JobOutcome = Pick<Occurrence, 'why'> & {
  readonly state?: 'failed' | 'unknown' | 'did-nothing' | 'stopped';
};

const nameOf = ({ action }: DoneAction): string => (isText(action) ? 'the text' : (action.tool ?? 'an action'));

const isChange = ({ tool = '' }: Action): boolean => isMcpTool(tool) || (findTool(tool)?.kind ?? 'once') !== 'read';

const isPromised = ({ promises }: JobDefinition, { action }: DoneAction): boolean =>
  promises === 'reply' ? isText(action) : !isText(action) && isChange(action);

const failure = (one: DoneAction): JobOutcome => ({
  state: 'failed',
  why: `${nameOf(one)} was not done: ${one.reason ?? one.state ?? 'the rules refused it'}`,
});

const NOTHING_DONE: Readonly<Record<JobDefinition['promises'], string>> = {
  reply: 'it ended without the text it promises',
  change: 'it ended and changed nothing, though it promises a change',
  nothing: '',
};

export const judgeRun = (definition: JobDefinition, turn: EndedTurn): JobOutcome => {
  const { states, actions, stateReason } = turn;
  if (states.includes('dead-lettered'))
    return { state: 'failed', why: stateReason ?? 'it was given up after its last try' };
  const unknown = actions.find(({ state }) => state === 'unknown');
  if (unknown !== undefined) return { state: 'unknown', why: `it is not known whether ${nameOf(unknown)} was done` };
  const promised = actions.filter((one) => isPromised(definition, one));
  // A model may try again in another way; a text to a destination has one try.
  const isResult = ({ action }: DoneAction): boolean => isText(action) || isWebhookCopy(action);
  const failed = actions.filter(isResult).find(({ state }) => state !== 'done');
  if (failed !== undefined) return failure(failed);
  if (promised.length > 0 && promised.some(({ state }) => state === 'done')) return {};
  if (definition.promises === 'nothing' && !states.includes('refused')) return {};
  const refused = actions.find(({ state }) => state !== 'done');
  if (refused !== undefined) return failure(refused);
  if (states.some((state) => state === 'refused' || state === 'dropped'))
    return { state: 'failed', why: stateReason ?? 'it was refused' };
  return { state: 'did-nothing', why: NOTHING_DONE[definition.promises] };
};

/** The outcome of a runbook's run, by its own record; undefined while it goes on. */
export const judgeRunbook = (
  { promises, work }: Pick<JobDefinition, 'promises' | 'work'>,
  { state, why, ended }: Pick<Run, 'state' | 'why' | 'ended'>,
): JobOutcome | undefined => {
  const isUnknown = ended.findLast((step) => step.state !== 'done')?.state === 'unknown';
  const failed = { state: isUnknown ? 'unknown' : 'failed', why: why ?? `it ${state}` } as const;
  switch (state) {
    case 'running':
    case 'waiting':
      return undefined;
    case 'done':
      // Steps go on behind one that was not done, which `why` names.
      return work.kind === 'steps' && why !== undefined ? failed : {};
    case 'did-nothing':
      return promises === 'nothing' ? {} : { state, why: 'each of its steps was left out' };
    case 'failed':
      return failed;
    case 'stopped':
      return { state, why: failed.why };
    default:
      return state satisfies never;
  }
};
