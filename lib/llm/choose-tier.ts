/**
 * Which tier answers a signal: the small model unless something says that it will not do. Pure, from facts that are stored or
 * follow from what is stored, so that the choice can be explained; the reason is a phrase of our own. Reflexes never come here.
 */
import type { Sensor } from '../signal/sensors.ts';
import type { Tier } from './provider-table.ts';

/** A message longer than this is work for the large model. */
const COGNITION_TEXT_CHARS_MAX = 2_000;
/** Steps of a task after which the large model goes on with it. */
const COGNITION_DEPTH_MAX = 3;

export interface TierFacts {
  /** What the signal itself carries. */
  readonly sensor: Sensor;
  /** What the skill that is meant asks for, or an approver set for it. */
  readonly skill?: { readonly skill: string; readonly tier: Tier; readonly isSet: boolean };
  /** Characters a person or sender wrote in this signal. */
  readonly textChars: number;
  readonly text: string;
  /** Steps since the root. */
  readonly depth: number;
  /** Tools this space may use, by name. */
  readonly toolNames: readonly string[];
  /** How the last answer to this very signal ended. */
  readonly lastAttempt: 'none' | 'rejected' | 'unusable';
  /** How all the actions before this signal ended. */
  readonly lastActions: 'none' | 'done' | 'failed';
  /** Tier of the decision that led here. */
  readonly before?: Tier;
}

export interface TierChoice {
  readonly tier: Tier;
  readonly because: string;
}

/** What the original took for hard: asked to think, or for several things in order. */
const HARD_WORDS =
  /\b(analy[sz]e|compare|explain why|plan|prove|refactor|review|step by step|trade-?offs?|analysiere|vergleiche|plane|erkläre warum|schritt für schritt)\b/i;
/** Left out: parts of tool names that stand in ordinary sentences. */
const COMMON_WORDS: ReadonlySet<string> = new Set(['current', 'list', 'time', 'read', 'call', 'run', 'code', 'output']);

/** Tools whose name, or a word of it, stands in the text. */
const toolsNamed = (text: string, toolNames: readonly string[]): number => {
  const words = new Set(text.toLowerCase().match(/\p{L}+/gu) ?? []);
  return toolNames.filter((name) => name.split('-').some((part) => !COMMON_WORDS.has(part) && words.has(part))).length;
};

const skillReason = ({ skill, isSet }: NonNullable<TierFacts['skill']>): string =>
  isSet ? `an approver set it for the skill ${skill}` : `the skill ${skill} asks for it`;

/** The first line that applies. */
export const chooseTier = (facts: TierFacts): TierChoice => {
  const large = (because: string): TierChoice => ({ tier: 'reasoning', because });
  if (facts.lastAttempt === 'rejected') return large('the rules rejected the answer before');
  if (facts.lastAttempt === 'unusable') return large('the answer before could not be used');
  if (facts.skill !== undefined) return { tier: facts.skill.tier, because: skillReason(facts.skill) };
  if (facts.sensor === 'loop-error') return large('working on it failed before');
  if (facts.lastActions === 'failed') return large('what was tried before failed');
  if (facts.before === 'reasoning') return large('the task was begun with it');
  if (facts.depth >= COGNITION_DEPTH_MAX) return large('the task takes many steps');
  if (facts.textChars > COGNITION_TEXT_CHARS_MAX) return large('the message is long');
  if (facts.sensor !== 'webhook' && HARD_WORDS.test(facts.text)) return large('the question asks to think it through');
  if (toolsNamed(facts.text, facts.toolNames) > 1) return large('several tools are likely');
  return { tier: 'cognition', because: 'nothing asks for more' };
};
