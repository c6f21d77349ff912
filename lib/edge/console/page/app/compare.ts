/** Finds the differences between two decisions: facts, gates, bytes. Pure. */
import type { SignalView } from '../../../../wings/signals/view.ts';

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
