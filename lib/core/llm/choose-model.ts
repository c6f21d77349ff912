/**
 * Chooses the model for a question: by tier (`chooseTier`), an approver's wish for the conversation
 * (`/model`), and the owner's table `MODEL_RULES`. The wish comes before what rules name. Pure,
 * from facts that are stored or follow from stored ones, so the choice can be explained later. A
 * wish is stored on the conversation, where neither memory nor a proposal reaches it (I14).
 */
import * as z from 'zod/mini';
import { defined } from '../base/defined.ts';
import { parseJson } from '../base/json.ts';
import { once } from '../base/once.ts';
import { SENSOR_NAMES, type Sensor } from '../signal/signal.ts';
import { TIERS, type Tier } from './provider-table.ts';

/** A message longer than this is work for the large model. */
const COGNITION_TEXT_CHARS_MAX = 2_000;
/** From this step on, the large model goes on with a task. */
const COGNITION_DEPTH_MAX = 3;

/** The words and results that say what a step is about. */
export interface StepCue {
  readonly sensor: Sensor;
  /** The owner's own words. Nobody else's choose anything. */
  readonly text: string;
  /** Tools whose results the signal brings. */
  readonly resultTools: readonly string[];
}

export interface TierFacts {
  readonly sensor: Sensor;
  /** The tier that the meant skill asks for, or an approver set for it. */
  readonly skill?: { readonly skill: string; readonly tier: Tier; readonly isSet: boolean };
  /** Characters that a person or sender wrote in this signal. */
  readonly textChars: number;
  readonly text: string;
  /** Of the signal that began the turn; the same one if this is the first step. */
  readonly root: { readonly sensor: Sensor; readonly text: string };
  /** Steps since the root. */
  readonly depth: number;

  /** How the last answer to this signal ended, and how many ended before this one. */
  readonly lastAttempt: 'none' | 'rejected' | 'unusable';
  readonly attempts: number;
  /** How the actions before this signal ended. */
  readonly lastActions: 'none' | 'done' | 'failed';
  /** Tier of the decision that led here. */
  readonly before?: Tier;
}

export interface TierChoice {
  readonly tier: Tier;
  /** The model is asked to think first. */
  readonly isThinking: boolean;
  /** A phrase of our own. */
  readonly because: string;
}

/** Words that ask to think, or for several things in order. */
const HARD_WORDS =
  /\b(analy[sz]e|compare|explain why|plan|prove|refactor|review|step by step|trade-?offs?|analysiere|vergleiche|plane|erkläre warum|schritt für schritt)\b/i;

const skillReason = ({ skill, isSet }: NonNullable<TierFacts['skill']>): string =>
  isSet ? `an approver set it for the skill ${skill}` : `the skill ${skill} asks for it`;

const asksToThink = ({ sensor, text }: TierFacts['root']): boolean => sensor !== 'webhook' && HARD_WORDS.test(text);

/**
 * Thoughts cost more than all else of an answer, so difficulty asks for them, not size: a long
 * paste may be easy. After one rejection the model knows what to mend; two show that it is hard.
 */
const isDifficult = (facts: TierFacts): boolean =>
  facts.attempts > 1 ||
  facts.skill?.tier === 'reasoning' ||
  facts.sensor === 'loop-error' ||
  facts.lastActions === 'failed' ||
  facts.depth >= COGNITION_DEPTH_MAX ||
  asksToThink(facts) ||
  asksToThink(facts.root);

/** The first line that applies decides. */
export const chooseTier = (facts: TierFacts): TierChoice => {
  const large = (because: string): TierChoice => ({ tier: 'reasoning', isThinking: isDifficult(facts), because });
  const small = (because: string): TierChoice => ({ tier: 'cognition', isThinking: false, because });
  if (facts.lastAttempt === 'rejected') return large('the rules rejected the answer before');
  if (facts.lastAttempt === 'unusable') return large('the answer before could not be used');
  if (facts.skill !== undefined) return (facts.skill.tier === 'reasoning' ? large : small)(skillReason(facts.skill));
  if (facts.sensor === 'loop-error') return large('working on it failed before');
  if (facts.lastActions === 'failed') return large('what was tried before failed');
  if (facts.before === 'reasoning') return large('the task was begun with it');
  if (facts.depth >= COGNITION_DEPTH_MAX) return large('the task takes many steps');
  if (facts.textChars > COGNITION_TEXT_CHARS_MAX) return large('the message is long');
  if (asksToThink(facts)) return large('the question asks to think it through');

  return small('nothing asks for more');
};

/** An approver's wish for a conversation. */
export type ModelChoice =
  | { readonly kind: 'auto' }
  | { readonly kind: 'tier'; readonly tier: Tier }
  | { readonly kind: 'model'; readonly provider: string; readonly model: string };

/** A colon is the spelling of `PROVIDER_CASCADE`. */
const MODEL = /^([a-z][a-z0-9-]{0,31})[/:]([\w.:/@-]{1,128})$/;

/** `openai/gpt-…`: the one spelling that people are shown. */
export const modelName = (provider: string, model: string): string => `${provider}/${model}`;

/** @returns undefined if the text is no choice */
export const parseModelChoice = (text: string): ModelChoice | undefined => {
  if (text === 'auto') return { kind: 'auto' };
  if (text === 'cognition' || text === 'reasoning') return { kind: 'tier', tier: text };
  const [, provider, model] = MODEL.exec(text) ?? [];
  return provider === undefined || model === undefined ? undefined : { kind: 'model', provider, model };
};

/** A stored choice. One that a later release wrote counts as `auto`. */
export const storedModelChoice = (text: string | undefined): ModelChoice =>
  parseModelChoice(text ?? 'auto') ?? { kind: 'auto' };

/** A table that a person can still read through. */
const MODEL_RULES_MAX = 32;
const MODEL_RULE_WORDS_MAX = 32;

const Name = z.string().check(z.regex(/^[a-z][a-z0-9-]{0,31}$/));

/** A rule applies if all its conditions hold. */
export const ModelRule = once(() =>
  z
    .strictObject({
      /** Sensor of the signal that began the task, or of this step. */
      sensor: z.optional(z.enum(SENSOR_NAMES)),
      /** The owner's own words of this task contain one of them. */
      words: z.optional(
        z
          .array(z.string().check(z.regex(/[\p{L}\p{N}]/u), z.maxLength(64)))
          .check(z.minLength(1), z.maxLength(MODEL_RULE_WORDS_MAX)),
      ),
      tier: z.optional(z.enum(TIERS)),
      /** A provider, or one model of it. */
      use: z.optional(z.string().check(z.regex(/^[a-z][a-z0-9-]{0,31}(\/[\w.:/@-]{1,128})?$/))),
      skip: z.optional(z.array(Name).check(z.minLength(1), z.maxLength(MODEL_RULES_MAX))),
    })
    .check(z.refine(({ use, skip }) => use !== undefined || skip !== undefined)),
);
export type ModelRule = z.infer<ReturnType<typeof ModelRule>>;

export interface SelectorFacts {
  /** Sensors of the signal and of the root of its turn. */
  readonly sensors: readonly Sensor[];
  /** The owner's own words. */
  readonly text: string;
  readonly tier: Tier;
  /** Names of those that could be asked, in order. */
  readonly providers: readonly string[];
  /** Names of those that failed lately. */
  readonly unwell: ReadonlySet<string>;
}

export interface Selection {
  /** Asked first; without a model, with the model of the tier. */
  readonly use?: { readonly provider: string; readonly model?: string };
  readonly skip: ReadonlySet<string>;
  /** Names the rules, by their number from 1. */
  readonly because: string;
}

const spaced = (text: string): string => ` ${(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(' ')} `;

const applies = ({ sensor, words, tier }: ModelRule, facts: SelectorFacts): boolean =>
  (sensor === undefined || facts.sensors.includes(sensor)) &&
  (tier === undefined || facts.tier === tier) &&
  (words === undefined || words.some((word) => spaced(facts.text).includes(spaced(word))));

const splitUse = (use: string): { readonly provider: string; readonly model?: string } => {
  const slash = use.indexOf('/');
  return slash < 0 ? { provider: use } : { provider: use.slice(0, slash), model: use.slice(slash + 1) };
};

/** All rules that apply may leave providers out. The first names whom to ask first. */
export const selectByRules = (rules: readonly ModelRule[], facts: SelectorFacts): Selection | undefined => {
  const skip = new Set<string>();
  const because: string[] = [];
  let use: Selection['use'];
  for (const [index, rule] of rules.entries()) {
    if (!applies(rule, facts)) continue;
    const skipped = (rule.skip ?? []).filter((name) => facts.providers.includes(name) && !skip.has(name));
    for (const name of skipped) skip.add(name);
    if (skipped.length > 0) because.push(`rule ${index + 1} leaves out ${skipped.join(', ')}`);
    const named = rule.use === undefined || use !== undefined ? undefined : splitUse(rule.use);
    if (named === undefined || !facts.providers.includes(named.provider) || facts.unwell.has(named.provider)) continue;
    use = named;
    because.push(`rule ${index + 1} asks ${rule.use}`);
  }
  if (because.length === 0) return undefined;
  // A provider that is left out stays out, even if another rule names it.
  const kept = use === undefined || skip.has(use.provider) ? undefined : use;
  return { skip, because: because.join('; '), ...defined({ use: kept }) };
};

/** @returns the rules, or what is wrong with them, with a rule's number and never its words */
export const parseModelRules = (text: string | undefined): readonly ModelRule[] | string => {
  if (text === undefined || text.trim() === '') return [];
  let list: readonly unknown[];
  try {
    list = parseJson('MODEL_RULES', text, z.array(z.unknown()).check(z.maxLength(MODEL_RULES_MAX)));
  } catch {
    return `must be JSON: a list of up to ${MODEL_RULES_MAX} rules, each {"sensor"?, "words"?, "tier"?, "use"?, "skip"?}`;
  }
  const parsed = list.map((one) => ModelRule().safeParse(one));
  const wrong = parsed.flatMap(({ error }, index) => {
    if (error === undefined) return [];
    const fields = error.issues.map(({ path }) => String(path[0] ?? '"use" or "skip" is missing, or a field too many'));
    return [`rule ${index + 1}: ${[...new Set(fields)].join(', ')}`];
  });
  if (wrong.length > 0) return `does not fit: ${wrong.join('; ')}`;
  return parsed.flatMap(({ data }) => data ?? []);
};

/** Names in rules that no provider has, as problems in words. */
export const unknownNames = (rules: readonly ModelRule[], names: readonly string[]): readonly string[] =>
  rules.flatMap(({ use, skip = [] }, index) =>
    [...(use === undefined ? [] : [splitUse(use).provider]), ...skip]
      .filter((name) => !names.includes(name))
      .map((name) => `rule ${index + 1} names "${name}", which is none of ${names.join(', ')}`),
  );
