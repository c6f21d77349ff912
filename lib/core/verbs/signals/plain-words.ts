/** Tells a person what became of a signal: what happened, then why. Pure. */
import { utcMinute } from '../../base/utc-minute.ts';
import { endingOf } from '../../ledger/old-sentences.ts';
import type { SignalRecord } from '../../ledger/record.ts';
import type { Effect } from '../../signal/decision.ts';
import type { TraceEntry } from '../../signal/gate.ts';
import { SignalState } from '../../signal/signal.ts';
import type { SignalTexts } from './texts.ts';

type StoryTexts = SignalTexts['story'];

/**
 * The state of a signal as every door shows it. `handed on` is a dropped signal whose work goes on
 * elsewhere: in a job, in a run, with the model; `recorded` is an event that nobody waited for. The
 * stored code says so.
 */
export const SHOWN_STATES = [...SignalState.options, 'handed on', 'recorded'] as const;
export type ShownState = (typeof SHOWN_STATES)[number];

/** As much of a record. */
type Ended = Pick<SignalRecord, 'state' | 'because' | 'stateReason'>;

const RECORDED: readonly string[] = ['no-job', 'connected'];

export const shownStateOf = ({ state, because, stateReason = '' }: Ended): ShownState => {
  if (state !== 'dropped') return state;
  const code = endingOf({ because, stateReason })?.code;
  if (code === undefined) return state;
  return RECORDED.includes(code) ? 'recorded' : 'handed on';
};

export interface StoryAction {
  /** The sentence of a call; undefined for a text. */
  readonly call: string | undefined;
  readonly isNotice: boolean;
  /** State of its effect; `pending` while there is none. */
  readonly state:
    | 'done'
    | 'failed'
    | 'unknown'
    | 'refused'
    | 'suspended'
    | 'handed'
    | 'claimed'
    | 'waiting'
    | 'pending';
  /** Why it failed, is unknown or was refused; the machine that has it. */
  readonly reason: string | undefined;
  readonly trace: readonly TraceEntry[];
}

export interface Story {
  readonly state: ShownState;
  readonly stateReason: string | undefined;
  /** Undefined while nothing is decided. */
  readonly outcome: 'act' | 'refuse' | 'drop' | undefined;
  readonly outcomeReason: string;
  /** Number of the model's answers that the gates rejected. */
  readonly rejectedCount: number;
  readonly actions: readonly StoryAction[];
}

/** A runner has the action, and nobody is waited for. */
export const isHanded = (effect: Effect): effect is Effect & { readonly handedTo: NonNullable<Effect['handedTo']> } =>
  effect.state === 'suspended' && effect.handedTo !== undefined;

export const handedWords = ({ runner, until }: NonNullable<Effect['handedTo']>): string =>
  `${runner}, which has until ${utcMinute(until)}`;

const sentence = (text: string): string => (/[.!?…]$/.test(text) ? text : `${text}.`);

const because = (reason: string | undefined, say: StoryTexts): string =>
  reason === undefined || reason === '' ? '.' : sentence(`: ${say.stored(reason)}`);

const nameOf = ({ call, isNotice }: StoryAction, say: StoryTexts): string =>
  call !== undefined ? say.call(call) : isNotice ? say.notice : say.reply;

const askedBy = (trace: readonly TraceEntry[]): string =>
  trace
    .filter(({ verdict }) => verdict === 'ask')
    .map(({ reason }) => reason)
    .join('; ');

const actionSentence = (action: StoryAction, say: StoryTexts): string => {
  const name = nameOf(action, say);
  switch (action.state) {
    case 'done':
      return say.done(name, action.call !== undefined);
    case 'suspended':
      return `${say.suspended(name)}${because(askedBy(action.trace), say)}`;
    case 'failed':
    case 'unknown':
    case 'refused':
    case 'handed':
    case 'waiting':
      return `${say[action.state](name)}${because(action.reason, say)}`;
    case 'claimed':
    case 'pending':
      return say[action.state](name);
    default: {
      const never: never = action.state;
      return never;
    }
  }
};

const undecided = ({ state, stateReason }: Story, say: StoryTexts): string => {
  switch (state) {
    case 'handed on':
      return `${say.handedOn}${because(stateReason, say)}`;
    case 'recorded':
    case 'dropped':
      return `${say[state]}${because(stateReason, say)}`;
    case 'dead-lettered':
      return `${say.deadLettered}${because(stateReason, say)}`;
    default:
      return stateReason === undefined ? say.atWork : `${say.undecided}${because(stateReason, say)}`;
  }
};

/** @param say the sentences in the language of whoever reads them */
export const plainWords = (story: Story, say: StoryTexts): readonly string[] => {
  const { outcome, outcomeReason, rejectedCount, actions, state, stateReason } = story;
  switch (outcome) {
    case undefined:
      return [undecided(story, say)];
    case 'drop':
      return [`${state === 'recorded' ? say.recorded : say.dropped}${because(outcomeReason, say)}`];
    case 'refuse':
      return [
        `${rejectedCount === 0 ? say.nothingDone : say.rulesRefused(rejectedCount)}${because(outcomeReason, say)}`,
      ];
    case 'act':
      return [
        ...actions.map((action) => actionSentence(action, say)),
        ...(rejectedCount === 0 ? [] : [say.rejected(rejectedCount)]),
        ...(state === 'dead-lettered' ? [`${say.setAside}${because(stateReason, say)}`] : []),
      ];
    default: {
      const never: never = outcome;
      return never;
    }
  }
};
