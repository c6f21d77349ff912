/** Finds the differences between two decisions: in words, and of facts, gates and bytes. Pure. */

import { stateWordIn } from '../../../core/wings/signals/shown-words.ts';
import type { SignalView } from '../../../core/wings/signals/view.ts';
import { type Language, phraseIn } from './texts.ts';

export interface Difference {
  readonly path: string;
  readonly left: string;
  readonly right: string;
}

const NONE = '–';

/** The compared parts of a signal; ids and times differ anyway. */
const partsOf = ({ sensor, state, text, decision, effects }: SignalView): unknown => ({
  sensor,
  state,
  text: text.map((piece) => `${piece.origin}: ${piece.text}`),
  outcome: decision?.outcome,
  reason: decision?.reason,
  gates: decision?.gateSet,
  policy: decision?.policyVersion,
  settings: decision?.settingsVersion,
  memory: decision?.memory,
  skill: decision?.skill,
  attempts: decision?.attempts.map(({ provider, model, problem, trace }) => ({
    model: `${provider} ${model}`,
    problem,
    gates: Object.fromEntries(
      trace.map(({ n, gate, verdict, reason }) => [`${gate} of action ${n}`, `${verdict} ${reason}`]),
    ),
  })),
  actions: decision?.actions.map(({ action, actionHash, trace }) => ({
    action,
    hash: actionHash,
    gates: Object.fromEntries(trace.map(({ gate, verdict, reason }) => [gate, `${verdict} ${reason}`])),
  })),
  effects: effects.map((effect) => `${effect.state} ${effect.reason ?? ''}`),
});

const flatten = (value: unknown, path: string, into: Map<string, string>): Map<string, string> => {
  if (typeof value === 'object' && value !== null)
    for (const [name, inner] of Object.entries(value)) flatten(inner, path === '' ? name : `${path}.${name}`, into);
  else if (value !== undefined) into.set(path, String(value));
  return into;
};

export const compareViews = (left: SignalView, right: SignalView): readonly Difference[] => {
  const [one, other] = [flatten(partsOf(left), '', new Map()), flatten(partsOf(right), '', new Map())];
  return [...new Set([...one.keys(), ...other.keys()])]
    .map((path) => ({ path, left: one.get(path) ?? NONE, right: other.get(path) ?? NONE }))
    .filter((row) => row.left !== row.right);
};

/** The last word of each gate on each action; the gate alone if there is one action. */
const verdictsOf = ({ decision }: SignalView): ReadonlyMap<string, string> => {
  const actions = decision?.actions ?? [];
  const last = actions.length > 0 ? actions : [{ n: 0, trace: decision?.attempts.at(-1)?.trace ?? [] }];
  return new Map(
    last.flatMap(({ n, trace }) =>
      trace.map(({ gate, verdict }) => [last.length > 1 ? `${gate} (${n})` : gate, verdict] as const),
    ),
  );
};

const sentencesOf = ({ decision }: SignalView): string =>
  (decision?.actions ?? []).map(({ sentence }) => sentence).join('; ');

const modelOf = ({ decision }: SignalView): string => {
  const attempt = decision?.attempts.at(-1);
  return attempt === undefined ? '' : `${attempt.provider} ${attempt.model}`;
};

const saidIn = ({ text }: SignalView): string => text.map((piece) => piece.text).join('\n');

/** Versions of which a person is told only that they differ. */
const VERSIONS = [
  ['otherPolicy', ({ decision }: SignalView) => decision?.policyVersion],
  ['otherGates', ({ decision }: SignalView) => decision?.gateSet],
  ['otherSettings', ({ decision }: SignalView) => decision?.settingsVersion],
  ['otherMemory', ({ decision }: SignalView) => decision?.memory?.commit],
  ['otherSkill', ({ decision }: SignalView) => decision?.skill?.hash],
] as const;

/** The differences in sentences for a person, the outcome first. */
export const compareWords = (left: SignalView, right: SignalView, language: Language): readonly string[] => {
  const word = (state: string | undefined): string =>
    state === undefined ? phraseIn(language, 'notAsked') : stateWordIn(language, state);
  const lines: string[] = [];
  const tell = (key: 'differState' | 'differWords' | 'differActions' | 'differModel', values: readonly string[]) => {
    const [one = '', other = ''] = values.map((value) => value || phraseIn(language, 'nothing'));
    if (one !== other) lines.push(phraseIn(language, key)(one, other));
  };
  tell('differState', [word(left.state), word(right.state)]);
  tell('differWords', [saidIn(left), saidIn(right)]);
  tell('differActions', [sentencesOf(left), sentencesOf(right)]);
  tell('differModel', [modelOf(left), modelOf(right)]);
  const [one, other] = [verdictsOf(left), verdictsOf(right)];
  for (const gate of new Set([...one.keys(), ...other.keys()]))
    if (one.get(gate) !== other.get(gate))
      lines.push(phraseIn(language, 'differGate')(gate, word(one.get(gate)), word(other.get(gate))));
  for (const [key, of] of VERSIONS) if (of(left) !== of(right)) lines.push(phraseIn(language, key));
  return lines;
};
