/**
 * Whether any gate backtracks: each check is called directly on texts made to hurt it, of 1 MB and of 2 MB. A linear gate
 * takes twice as long for twice as much; a quadratic one four times. Gives the worst ratio of each gate, and its text.
 * Run alone: `node test/bench/gate-doubling.ts`.
 */
import type { Facts } from '../../lib/gates/facts.ts';
import { GATES } from '../../lib/gates/gate-set.ts';
import type { Action } from '../../lib/signal/action.ts';
import { factsFor, reply, toolCall, webhookCall } from '../gates/samples.ts';

export interface GateDoubling {
  readonly gate: string;
  /** Time of 2 MB by time of 1 MB, at its worst. */
  readonly ratio: number;
  /** The text that took it. */
  readonly fragment: string;
  readonly msPerMb: number;
}

const MIB = 1024 * 1024;
/** For 2 MB; below this a ratio says more about the processor's cache, which 1 MB still fits, than about the gate. */
const TIME_MS_MIN = 40;
/** A ratio over this is measured again: a pause of the machine doubles a time as well. */
const RATIO_DOUBTFUL = 2.25;
const TRIES_MAX = 6;

/** Beginnings of what patterns look for, over and over: whatever starts a match and never ends one. */
const FRAGMENTS = ['a', ' ', '.', '/', '../', '%25', '&#', '\\', '@a', 'а\u200b', 'https://', '](', 'eyJaaaaaaaa.'];

const ACTIONS: readonly ((text: string) => readonly [Action, Partial<Facts>])[] = [
  (text) => [reply({ text }), { origin: 'outside' }],
  (text) => [webhookCall({ args: { body: text } }), {}],
  (text) => [toolCall({ tool: 'read-file', args: { path: text } }), {}],
  (text) => [toolCall({ tool: 'fetch-url', args: { url: text } }), {}],
];

/** Search every string of an action in the same way. */
const SEES_ALL: ReadonlySet<string> = new Set(['secret-formats', 'privacy', 'protocol-schema']);

/** Processor time of this thread, so that what else runs on the machine does not count. */
const timeOf = (check: (action: Action, facts: Facts) => unknown, action: Action, facts: Facts): number => {
  const before = process.threadCpuUsage();
  check(action, facts);
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
};

const inputsOf = (fragment: string, bytes: number) => {
  // Ended by another letter: a pattern that looks for a run at the end tries every start of it.
  const text = `${fragment.repeat(Math.ceil(bytes / fragment.length))}x`;
  return ACTIONS.map((build) => {
    const [action, changes] = build(text);
    // The hash says nothing to a check, and hashing 2 MB would take most of the time.
    return { action, facts: { ...factsFor(reply()), network: null, ...changes } };
  });
};

export const measureDoubling = (progress: (line: string) => void = () => {}): readonly GateDoubling[] => {
  const worst = new Map<string, GateDoubling>();
  for (const fragment of FRAGMENTS) {
    progress(`doubling ${JSON.stringify(fragment)}`);
    const [small, large] = [inputsOf(fragment, MIB), inputsOf(fragment, 2 * MIB)];
    for (const { name, check } of GATES) {
      for (const [index, one] of small.entries()) {
        const two = large[index];
        if (two === undefined) continue;
        // What one shape tells about a gate that looks at all strings alike, the others need not tell again.
        if (index > 1 && SEES_ALL.has(name)) continue;
        let [before, after] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
        for (let n = 0; n < TRIES_MAX; n += 1) {
          before = Math.min(before, timeOf(check, one.action, one.facts));
          after = Math.min(after, timeOf(check, two.action, two.facts));
          if (after < TIME_MS_MIN || after / before < RATIO_DOUBTFUL) break;
        }
        const ratio = after < TIME_MS_MIN ? 0 : after / before;
        const known = worst.get(name);
        if (known === undefined || ratio > known.ratio)
          worst.set(name, { gate: name, ratio, fragment, msPerMb: before });
      }
    }
  }
  return [...worst.values()];
};

if (import.meta.main) for (const row of measureDoubling()) console.log(JSON.stringify(row));
