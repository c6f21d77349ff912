/**
 * The selector: may name a provider or model for a question, or leave providers out, before any is asked. Pure. The built-in one
 * is the owner's table `MODEL_RULES`: the first rule that applies and names somebody well says who is asked first; every rule that
 * applies may leave providers out, and what is left out is not asked at all. An approver's `/model` comes before what rules name.
 */
import * as z from 'zod/mini';
import { parseJson } from '../base/json.ts';
import { lazySchema } from '../base/lazy-schema.ts';
import { SENSOR_NAMES, type Sensor } from '../signal/sensors.ts';
import { TIERS, type Tier } from './provider-table.ts';

/** Rules of an owner's table which model is asked, and words of one: a table a person can still read through. */
const MODEL_RULES_MAX = 32;
const MODEL_RULE_WORDS_MAX = 32;

const Name = z.string().check(z.regex(/^[a-z][a-z0-9-]{0,31}$/));

/** Of the conditions that are given all must hold. */
export const ModelRule = lazySchema(() =>
  z
    .strictObject({
      /** What began the task, or what this step of it is. */
      sensor: z.optional(z.enum(SENSOR_NAMES)),
      /** One of them stands in the owner's own words of this task. */
      words: z.optional(
        z
          .array(z.string().check(z.regex(/[\p{L}\p{N}]/u), z.maxLength(64)))
          .check(z.minLength(1), z.maxLength(MODEL_RULE_WORDS_MAX)),
      ),
      tier: z.optional(z.enum(TIERS)),
      /** Asked first: a provider, or one model of it. */
      use: z.optional(z.string().check(z.regex(/^[a-z][a-z0-9-]{0,31}(\/[\w.:/@-]{1,128})?$/))),
      /** Providers that are not asked. */
      skip: z.optional(z.array(Name).check(z.minLength(1), z.maxLength(MODEL_RULES_MAX))),
    })
    .check(z.refine(({ use, skip }) => use !== undefined || skip !== undefined)),
);
export type ModelRule = z.infer<ReturnType<typeof ModelRule>>;

export interface SelectorFacts {
  /** Of the signal, and of the root of its turn. */
  readonly sensors: readonly Sensor[];
  /** The owner's own words. */
  readonly text: string;
  readonly tier: Tier;
  /** Names of those that could be asked, in order. */
  readonly providers: readonly string[];
  /** Those that failed lately. */
  readonly unwell: ReadonlySet<string>;
}

export interface Selection {
  /** To be asked first; without a model, with the one of the tier. */
  readonly use?: { readonly provider: string; readonly model?: string };
  readonly skip: ReadonlySet<string>;
  /** Names the rules, by their number from 1. */
  readonly because: string;
}

/** A selector of another kind has this form too. */
export type SelectModel = (facts: SelectorFacts) => Selection | undefined;

const spaced = (text: string): string => ` ${(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(' ')} `;

const isApplying = ({ sensor, words, tier }: ModelRule, facts: SelectorFacts): boolean =>
  (sensor === undefined || facts.sensors.includes(sensor)) &&
  (tier === undefined || facts.tier === tier) &&
  (words === undefined || words.some((word) => spaced(facts.text).includes(spaced(word))));

const splitUse = (use: string): { readonly provider: string; readonly model?: string } => {
  const slash = use.indexOf('/');
  return slash < 0 ? { provider: use } : { provider: use.slice(0, slash), model: use.slice(slash + 1) };
};

export const buildTableSelector =
  (rules: readonly ModelRule[]): SelectModel =>
  (facts) => {
    const skip = new Set<string>();
    const because: string[] = [];
    let use: Selection['use'];
    for (const [index, rule] of rules.entries()) {
      if (!isApplying(rule, facts)) continue;
      const left = (rule.skip ?? []).filter((name) => facts.providers.includes(name) && !skip.has(name));
      for (const name of left) skip.add(name);
      if (left.length > 0) because.push(`rule ${index + 1} leaves out ${left.join(', ')}`);
      const named = rule.use === undefined || use !== undefined ? undefined : splitUse(rule.use);
      if (named === undefined || !facts.providers.includes(named.provider) || facts.unwell.has(named.provider))
        continue;
      use = named;
      because.push(`rule ${index + 1} asks ${rule.use}`);
    }
    if (because.length === 0) return undefined;
    // What is left out stays out, also where another rule names it.
    const isUsed = use !== undefined && !skip.has(use.provider);
    return { skip, because: because.join('; '), ...(isUsed && use !== undefined ? { use } : {}) };
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
    const fields = new Set(
      error.issues.map(({ path }) => String(path[0] ?? '"use" or "skip" is missing, or a field too many')),
    );
    return [`rule ${index + 1}: ${[...fields].join(', ')}`];
  });
  return wrong.length > 0
    ? `does not fit: ${wrong.join('; ')}`
    : parsed.flatMap(({ data }) => (data === undefined ? [] : [data]));
};

/** Names in rules that no provider has: a misspelt one would be left in silently. */
export const unknownNames = (rules: readonly ModelRule[], names: readonly string[]): readonly string[] =>
  rules.flatMap(({ use, skip = [] }, index) =>
    [...(use === undefined ? [] : [splitUse(use).provider]), ...skip]
      .filter((name) => !names.includes(name))
      .map((name) => `rule ${index + 1} names "${name}", which is none of ${names.join(', ')}`),
  );
