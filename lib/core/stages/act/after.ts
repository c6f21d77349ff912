/**
 * An after follows the effects of a delivery: notices for people, news for other systems, the next
 * signal, the end of a run. Act knows none by name; its handler passes the list
 * (`functions/act/features.ts`). Each may be repeated after a crash, and then changes nothing.
 */
import type { Notice } from '../../judge/notices.ts';
import type { Action } from '../../signal/action.ts';
import type { Effect } from '../../signal/decision.ts';
import type { Signal, SignalState } from '../../signal/signal.ts';
import type { ActDeps, ActTurn } from './act-context.ts';
import { loadLazy } from './act-context.ts';

export interface Done {
  /** Effects of the actions that this delivery performed. */
  readonly effects: readonly Effect[];
  /** Effects of all actions of the decision. */
  readonly all: readonly Effect[];
  /** The model hears results, so its turn goes on. */
  readonly goesOn: boolean;
  /** The state that the signal gets. */
  readonly state: SignalState;
}

/**
 * - `notices`: the returned signals are stored; they are published before anything else
 * - `news`: publishes by itself, once the notices are published
 * - `next`: the returned signals follow this one; they are accepted once the turn is handed on
 * - `end`: the record of the signal has been moved
 */
type AfterMoment = 'notices' | 'news' | 'next' | 'end';

export interface AfterEffect {
  readonly name: string;
  readonly at: AfterMoment;
  /** Asked of each delivery, so it loads nothing. */
  readonly takes: (turn: ActTurn, done: Done) => boolean;
  readonly after: (deps: ActDeps, turn: ActTurn, done: Done) => Promise<readonly Signal[]>;
}

/** The signals of all that takes the delivery, in the order of the list. */
export const runAfters = async (
  at: AfterMoment,
  deps: ActDeps,
  turn: ActTurn,
  done: Done,
): Promise<readonly Signal[]> => {
  const made: Signal[] = [];
  for (const one of deps.afters)
    if (one.at === at && one.takes(turn, done)) made.push(...(await one.after(deps, turn, done)));
  return made;
};

/** An effect with the action it is of. */
export interface Acted {
  readonly effect: Effect;
  readonly action: Action;
}

/** A notice of one effect. */
export interface EffectNotice {
  readonly name: string;
  readonly takes: (turn: ActTurn, acted: Acted) => boolean;
  /** @param all the effects of this delivery @returns undefined if nobody is told */
  readonly build: (
    deps: ActDeps,
    turn: ActTurn,
    acted: Acted,
    all: readonly Acted[],
  ) => Promise<SuffixedNotice | undefined>;
}

export interface SuffixedNotice {
  /** Ends the id of its signal. */
  readonly suffix: string;
  readonly notice: Notice;
}

const actedOf = ({ decision }: ActTurn, { effects }: Done): readonly Acted[] =>
  effects.flatMap((effect) => {
    const action = decision.actions[effect.n]?.action;
    return action === undefined ? [] : [{ effect, action }];
  });

/** All notices of the first effect come before any of the second. */
export const ofEachEffect = (notices: readonly EffectNotice[]): AfterEffect => ({
  name: notices.map(({ name }) => name).join(', '),
  at: 'notices',
  takes: (turn, done) => actedOf(turn, done).some((acted) => notices.some(({ takes }) => takes(turn, acted))),
  after: async (deps, turn, done) => (await loadLazy()).tellPeople(notices, deps, turn, actedOf(turn, done)),
});
