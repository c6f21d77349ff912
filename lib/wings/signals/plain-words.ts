/** Tells a person what became of a signal: what happened, then why. Pure. */
import { utcMinute } from '../../base/utc-minute.ts';
import { oldEnding } from '../../judge/old-sentences.ts';
import type { SignalRecord } from '../../ledger/record.ts';
import type { Effect } from '../../signal/decision.ts';
import type { TraceEntry } from '../../signal/gate.ts';
import { SignalState } from '../../signal/signal.ts';

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
  const code = (because ?? oldEnding(stateReason))?.code;
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

const because = (reason: string | undefined): string =>
  reason === undefined || reason === '' ? '.' : sentence(`: ${reason}`);

const nameOf = ({ call, isNotice }: StoryAction): string =>
  call !== undefined ? `${call}: this` : isNotice ? 'A fixed notice' : 'My reply';

const askedBy = (trace: readonly TraceEntry[]): string =>
  trace
    .filter(({ verdict }) => verdict === 'ask')
    .map(({ reason }) => reason)
    .join('; ');

const actionSentence = (action: StoryAction): string => {
  const name = nameOf(action);
  switch (action.state) {
    case 'done':
      return action.call === undefined ? `${name} was sent.` : `${name} was done.`;
    case 'failed':
      return `${name} failed${because(action.reason)}`;
    case 'unknown':
      return `${name} was begun, but nobody knows whether it happened${because(action.reason)}`;
    case 'refused':
      return `${name} was refused just before it would have happened${because(action.reason)}`;
    case 'suspended':
      return `${name} waits for a person's yes${because(askedBy(action.trace))}`;
    case 'handed':
      return `${name} was handed to a machine of yours and has not come back${because(action.reason)}`;
    case 'waiting':
      return `${name} could not be sent yet and is tried again${because(action.reason)}`;
    case 'claimed':
      return `${name} is under way.`;
    case 'pending':
      return `${name} is decided and about to happen.`;
    default: {
      const never: never = action.state;
      return never;
    }
  }
};

const undecided = ({ state, stateReason }: Story): string => {
  switch (state) {
    case 'handed on':
      return `It was handed on${because(stateReason)}`;
    case 'recorded':
      return `It was recorded${because(stateReason)}`;
    case 'dropped':
      return `It was not worked on${because(stateReason)}`;
    case 'dead-lettered':
      return `It could not be worked on and was set aside${because(stateReason)}`;
    default:
      return stateReason === undefined
        ? 'Nothing is decided yet: it is still being worked on.'
        : `Nothing is decided yet${because(stateReason)}`;
  }
};

const retried = (count: number): readonly string[] =>
  count === 0
    ? []
    : [`Before that the rules rejected ${count === 1 ? 'one proposal' : `${count} proposals`} of the model.`];

export const plainWords = (story: Story): readonly string[] => {
  const { outcome, outcomeReason, rejectedCount, actions, state, stateReason } = story;
  switch (outcome) {
    case undefined:
      return [undecided(story)];
    case 'drop':
      return [`${state === 'recorded' ? 'It was recorded' : 'It was not worked on'}${because(outcomeReason)}`];
    case 'refuse':
      return [
        rejectedCount === 0
          ? `Nothing was done${because(outcomeReason)}`
          : `Nothing was done: the rules refused what the model proposed${rejectedCount > 1 ? `, ${rejectedCount} times` : ''}${because(outcomeReason)}`,
      ];
    case 'act':
      return [
        ...actions.map(actionSentence),
        ...retried(rejectedCount),
        ...(state === 'dead-lettered' ? [`Then it was set aside${because(stateReason)}`] : []),
      ];
    default: {
      const never: never = outcome;
      return never;
    }
  }
};
