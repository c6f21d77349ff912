/**
 * The gate of a skill: its code runs in the sandbox, on copies of the action and its facts, and can
 * only make things stricter. Anything but a pass, an ask or a block is a block, in fixed words. It
 * judges proposals of models and skills only: a faulty gate must not lock out the person who would
 * remove it. Pure (I9): the same code, action and facts give the same verdict everywhere.
 */
import * as z from 'zod/mini';
import { makeVisible } from '../../core/base/make-visible.ts';
import type { GateEntry } from '../../core/gates/engine/build-gate-set.ts';
import type { GateSetContent } from '../../core/gates/engine/gate-set-content.ts';
import { describeProblem, type Sandbox } from '../../core/sandbox/sandbox.ts';
import type { Action } from '../../core/signal/action.ts';
import { type Gate, PASS, type Verdict } from '../../core/signal/gate.ts';

/** Behind every fixed gate: these have blocked what they block before a skill sees it. */
const SKILL_GATE_PRIORITY = 5;
/** Raise this if the same code may decide otherwise: by engine, bounds or reading. */
const SKILL_GATE_VERSION = 1;
/** Version of a gate whose code cannot be read: it blocks. */
const UNREADABLE_VERSION = 0;
/** One short sentence of the skill's own words. */
const SKILL_REASON_CHARS_MAX = 160;

const PREFIX = 'skill-';
/** Stands for all gates of skills if nobody knows which skills are in force. */
const ALL_UNREADABLE = 'skills-unreadable';

const block = (reason: string): Verdict => ({ verdict: 'block', reason });

const Answer = z.strictObject({
  verdict: z.enum(['pass', 'ask', 'block']),
  reason: z._default(z.string(), ''),
});

/** Its own words between quotes: visible, on one line, and cut. */
const quote = (words: string): string => {
  const shown = makeVisible(words.slice(0, SKILL_REASON_CHARS_MAX)).replaceAll('"', "'").trim();
  return shown === '' ? '' : `: "${shown.slice(0, SKILL_REASON_CHARS_MAX).toWellFormed()}"`;
};

const isProposed = (action: Action): boolean => action.author === 'model';

const buildCheck =
  (sandbox: Sandbox, name: string, code: string): Gate['check'] =>
  (action, facts) => {
    if (!isProposed(action)) return PASS;
    const outcome = sandbox.run({ code, call: 'gate', input: [action, facts] });
    if (outcome.kind === 'problem') return block(`the ${name} gate ${describeProblem(outcome)}`);
    const answer = Answer.safeParse(outcome.value);
    if (!answer.success) return block(`the ${name} gate gave no verdict that it may give`);
    const { verdict, reason } = answer.data;
    if (verdict === 'pass') return PASS;
    return { verdict, reason: `the ${name} gate ${verdict === 'ask' ? 'asks' : 'blocks'}${quote(reason)}` };
  };

const blockProposals =
  (reason: string): Gate['check'] =>
  (action) =>
    isProposed(action) ? block(reason) : PASS;

/** @param name `skill-<skill>-<gate>` @param text undefined if the code cannot be read */
export const buildSkillGate = (sandbox: Sandbox, name: string, code: string, text: string | undefined): Gate => {
  const shown = name.replace(PREFIX, 'skill ');
  const gate = { name, priority: SKILL_GATE_PRIORITY, code };
  return text === undefined
    ? { ...gate, version: UNREADABLE_VERSION, check: blockProposals(`the code of the ${shown} gate cannot be read`) }
    : { ...gate, version: SKILL_GATE_VERSION, check: buildCheck(sandbox, shown, text) };
};

export const SKILLS_UNREADABLE: Gate = {
  name: ALL_UNREADABLE,
  priority: SKILL_GATE_PRIORITY,
  version: UNREADABLE_VERSION,
  check: blockProposals('the skills in force cannot be read, so nothing proposed passes'),
};

/**
 * The gate that an entry of a stored gate set names. @param textOf gives the code by its hash
 * @returns undefined for an entry that is no skill's, or of another release, or without its code
 */
export const rebuildSkillGate = (
  sandbox: Sandbox,
  [name, priority, version, code]: GateEntry,
  textOf: (code: string) => string | undefined,
): Gate | undefined => {
  if (name === ALL_UNREADABLE) return SKILLS_UNREADABLE;
  if (code === undefined) return undefined;
  const gate = buildSkillGate(sandbox, name, code, version === UNREADABLE_VERSION ? undefined : textOf(code));
  return gate.priority === priority && gate.version === version ? gate : undefined;
};

const isOfSkill = ([name, , , code]: GateEntry): boolean => code !== undefined || name === ALL_UNREADABLE;

/** A stored gate set in two parts: what it was without skills, and the entries of their gates. */
export const splitContent = (
  content: GateSetContent,
): { readonly fixed: GateSetContent; readonly ofSkills: readonly GateEntry[] } => ({
  fixed: { ...content, gates: content.gates.filter((entry) => !isOfSkill(entry)) },
  ofSkills: content.gates.filter(isOfSkill),
});

/** Names of a skill's gates, none twice: `a` with `b-c` and `a-b` with `c` would share theirs. */
export const nameGate = (skill: string, gate: string, taken: ReadonlySet<string>): string => {
  const name = `${PREFIX}${skill}-${gate}`;
  for (let n = 2; ; n += 1) {
    const free = n === 2 ? name : `${name}-${n - 1}`;
    if (!taken.has(free)) return free;
  }
};
