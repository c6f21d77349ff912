/**
 * Whether any gate backtracks: each check is called directly on texts made to hurt it, of 1 MB and
 * of 2 MB. A linear gate takes twice as long for twice as much; a quadratic one four times. Gives
 * the worst ratio of each gate, and its text. Run alone: `node test/bench/gate-doubling.ts`.
 */

import { GATES } from '../../lib/core/gates/engine/gate-set.ts';
import type { Action } from '../../lib/core/signal/action.ts';
import type { Facts } from '../../lib/core/signal/facts.ts';
import { factsFor, reply, toolCall, webhookCall } from '../core/gates/samples.ts';

export interface GateDoubling {
  readonly gate: string;
  /** Time of 2 MB by time of 1 MB, at its worst. */
  readonly ratio: number;
  /** The text that took it. */
  readonly fragment: string;
  readonly msPerMb: number;
}

const MIB = 1024 * 1024;
/**
 * A shorter time is measured by repeating the check until it takes this long in all, so that every
 * gate has a ratio.
 */
const TIME_MS_MIN = 20;
/**
 * A check of 2 MB that ends sooner has not read the text: no pass over it is that fast. Its ratio
 * is that of nothing by nothing.
 */
const UNREAD_MS = 0.02;
const REPEATS_MAX = 8;
/** A ratio over this is measured again: a pause of the machine doubles a time as well. */
const RATIO_DOUBTFUL = 2.25;
const TRIES_MAX = 10;

/**
 * Beginnings of what patterns look for, over and over: whatever starts a match and never ends one.
 */
const FRAGMENTS = ['a', ' ', '.', '/', '../', '%25', '&#', '\\', '@a', 'а\u200b', 'https://', '](', 'eyJaaaaaaaa.'];

const ACTIONS: readonly ((text: string) => readonly [Action, Partial<Facts>])[] = [
  (text) => [reply({ text }), { origin: 'outside' }],
  (text) => [webhookCall({ args: { body: text } }), {}],
  (text) => [toolCall({ tool: 'read-file', args: { path: text } }), {}],
  (text) => [toolCall({ tool: 'fetch-url', args: { url: text } }), {}],
];

/** Search every string of an action in the same way. */
const SEES_ALL: ReadonlySet<string> = new Set(['secret-formats', 'privacy', 'protocol-schema']);

interface Input {
  readonly action: Action;
  readonly facts: Facts;
}
type Check = (action: Action, facts: Facts) => unknown;

type MakeInput = () => Input;

/**
 * The kernel counts processor time in steps of some milliseconds: below this the clock on the wall
 * tells more.
 */
const CPU_MS_MIN = 20;

/**
 * Milliseconds of one check of all given inputs, the shortest of all tries; in processor time of
 * this thread where that can be told, so that what else runs on the machine does not count. Each
 * input is made anew before its time begins: the engine remembers what a pattern found in a text it
 * has seen.
 */
const timeOf = (check: Check, makers: readonly MakeInput[], repeats: number): number =>
  makers.reduce((sum, make) => {
    let shortest = Number.POSITIVE_INFINITY;
    for (let n = 0; n < repeats; n += 1) {
      const { action, facts } = make();
      const [cpu, at] = [process.threadCpuUsage(), performance.now()];
      check(action, facts);
      const wallMs = performance.now() - at;
      const { user, system } = process.threadCpuUsage(cpu);
      const cpuMs = (user + system) / 1000;
      shortest = Math.min(shortest, cpuMs < CPU_MS_MIN ? wallMs : cpuMs);
    }
    return sum + shortest;
  }, 0);

/** Number of runs for one measured time; none if the check does not read the text. */
const repeatsFor = (check: Check, large: readonly MakeInput[]): number => {
  timeOf(check, large, 1);
  const once = timeOf(check, large, 1);
  const often = once < UNREAD_MS ? timeOf(check, large, 5) : once;
  return often < UNREAD_MS ? 0 : Math.min(REPEATS_MAX, Math.ceil(TIME_MS_MIN / often));
};

interface Times {
  readonly ratio: number;
  readonly msPerMb: number;
}

/**
 * Two texts of 1 MB by one of 2 MB: both fill the processor's cache alike, so that the ratio tells
 * about the gate.
 */
const compare = (check: Check, small: readonly MakeInput[], large: readonly MakeInput[]): Times => {
  const repeats = repeatsFor(check, large);
  if (repeats === 0) return { ratio: 1, msPerMb: 0 };
  let [before, after] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let n = 0; n < TRIES_MAX; n += 1) {
    before = Math.min(before, timeOf(check, small, repeats) / small.length);
    after = Math.min(after, timeOf(check, large, repeats));
    if (after / before < RATIO_DOUBTFUL) break;
  }
  return { ratio: after / before, msPerMb: before };
};

const inputsOf = (fragment: string, bytes: number, end: string): readonly MakeInput[] => {
  // Ended by another letter: a pattern that looks for a run at the end tries every start of it.
  const text = Buffer.from(`${fragment.repeat(Math.ceil(bytes / fragment.length))}${end}`, 'utf16le');
  return ACTIONS.map((build) => () => {
    const [action, changes] = build(text.toString('utf16le'));
    // The hash says nothing to a check, and hashing 2 MB would take most of the time.
    return { action, facts: { ...factsFor(reply()), network: null, ...changes } };
  });
};

export const measureDoubling = (progress: (line: string) => void = () => {}): readonly GateDoubling[] => {
  const worst = new Map<string, GateDoubling>();
  for (const fragment of FRAGMENTS) {
    progress(`doubling ${JSON.stringify(fragment)}`);
    const smalls = [inputsOf(fragment, MIB, 'x'), inputsOf(fragment, MIB, 'y')];
    const large = inputsOf(fragment, 2 * MIB, 'x');
    for (const { name, check } of GATES) {
      for (const [index, two] of large.entries()) {
        const ones = smalls.flatMap((inputs) => inputs.slice(index, index + 1));
        // What one shape tells about a gate that looks at all strings alike, the others need not
        // tell again.
        if (index > 1 && SEES_ALL.has(name)) continue;
        const { ratio, msPerMb } = compare(check, ones, [two]);
        const known = worst.get(name);
        if (known === undefined || ratio > known.ratio) worst.set(name, { gate: name, ratio, fragment, msPerMb });
      }
    }
  }
  return [...worst.values()];
};

if (import.meta.main) for (const row of measureDoubling()) console.log(JSON.stringify(row));
