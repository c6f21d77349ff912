/**
 * The caps: how much a turn, a conversation's day, a job's day and the space's day may cost, and what effects cost, read from
 * the environment. On by default; a bad value is a ConfigError's line like any other variable's. Pure.
 */
import * as z from 'zod/mini';
import { parseUsd } from '../base/money.ts';
import { normaliseName } from '../signal/action.ts';

/** Micro-dollars, but for tokens. All are counted by the day (UTC), so that nothing carries over. */
export interface BudgetCaps {
  readonly turn: number;
  readonly session: number;
  readonly job: number;
  readonly day: number;
  readonly dayTokens: number;
}

export const CAP_NAMES = ['turn', 'session', 'job', 'day', 'tokens', 'conversations', 'quota', 'quota-tokens'] as const;
export type CapName = (typeof CAP_NAMES)[number];

/** In the words of notices. */
export const CAP_WORDS: Readonly<Record<CapName, string>> = {
  turn: 'one task',
  session: 'this conversation today',
  job: 'this job today',
  day: 'today',
  tokens: 'today',
  conversations: 'today',
  quota: 'whoever asked this today',
  'quota-tokens': 'whoever asked this today',
};

/**
 * As text, as they stand in the environment. The day's is a coffee; the others keep one runaway
 * from drinking all of it. One task has room for the longest answer of every built-in provider's
 * large model, which is reserved before it is asked.
 */
export const BUDGET_DEFAULTS = {
  BUDGET_TURN_USD: '2',
  BUDGET_SESSION_USD: '3',
  BUDGET_JOB_USD: '2',
  BUDGET_DAY_USD: '5',
  BUDGET_DAY_TOKENS: '10000000',
} as const;
export type BudgetVariable = keyof typeof BUDGET_DEFAULTS;

/** What is wrong with a value, in words for a person; empty when nothing is. Shared with the settings of a deployment. */
export const budgetProblem = (variable: string, text: string): string => {
  if (variable === 'BUDGET_DAY_TOKENS')
    return /^\d{1,12}$/.test(text.trim()) ? '' : 'must be a whole number of tokens; 0 allows none';
  return parseUsd(text) === undefined ? 'must be US dollars such as 5 or 0.25; 0 allows nothing' : '';
};

/** `deploy=0.25, sms=0.01` → micro-dollars by name, or what is wrong with it. */
export const parseCosts = (text: string): ReadonlyMap<string, number> | string => {
  const costs = new Map<string, number>();
  for (const part of text.split(',').map((one) => one.trim())) {
    if (part === '') continue;
    const [name = '', amount = '', ...more] = part.split('=');
    const cost = parseUsd(amount);
    if (name.trim() === '' || cost === undefined || more.length > 0)
      return 'must be name=dollars, as in deploy=0.25,sms=0.01';
    costs.set(normaliseName(name.trim()), cost);
  }
  return costs;
};

const variable = (name: BudgetVariable) =>
  z._default(
    z.string().check(z.refine((text) => budgetProblem(name, text) === '', { error: () => budgetProblem(name, '') })),
    BUDGET_DEFAULTS[name],
  );

/** Fields of a function's environment. */
export const BUDGET_ENV = {
  BUDGET_TURN_USD: variable('BUDGET_TURN_USD'),
  BUDGET_SESSION_USD: variable('BUDGET_SESSION_USD'),
  BUDGET_JOB_USD: variable('BUDGET_JOB_USD'),
  BUDGET_DAY_USD: variable('BUDGET_DAY_USD'),
  BUDGET_DAY_TOKENS: variable('BUDGET_DAY_TOKENS'),
} as const;

export const COSTS_ENV = {
  WEBHOOK_COSTS: z._default(
    z.string().check(
      z.refine((text) => typeof parseCosts(text) !== 'string', {
        error: 'must be name=dollars, as in deploy=0.25,sms=0.01',
      }),
    ),
    '',
  ),
} as const;

/** Of an environment that was checked: a value that is no amount allows nothing. */
export const buildCaps = (env: Readonly<Record<BudgetVariable, string>>): BudgetCaps => ({
  turn: parseUsd(env.BUDGET_TURN_USD) ?? 0,
  session: parseUsd(env.BUDGET_SESSION_USD) ?? 0,
  job: parseUsd(env.BUDGET_JOB_USD) ?? 0,
  day: parseUsd(env.BUDGET_DAY_USD) ?? 0,
  dayTokens: Number(env.BUDGET_DAY_TOKENS),
});

export const DEFAULT_CAPS: BudgetCaps = buildCaps(BUDGET_DEFAULTS);

export const buildCosts = (env: { readonly WEBHOOK_COSTS: string }): ReadonlyMap<string, number> => {
  const costs = parseCosts(env.WEBHOOK_COSTS);
  return typeof costs === 'string' ? new Map() : costs;
};
