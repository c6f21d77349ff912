/** The caps of turns, conversations, jobs and days, and the prices of effects. Pure. */
import { parseUsd } from '../base/money.ts';
import { normaliseName } from '../signal/action.ts';

/** Micro-dollars, but for tokens. Counted by the day (UTC): nothing carries over. */
export interface BudgetCaps {
  readonly turn: number;
  readonly session: number;
  readonly job: number;
  readonly day: number;
  readonly dayTokens: number;
}

const CAP_NAMES = ['turn', 'session', 'job', 'day', 'tokens', 'conversations', 'quota', 'quota-tokens'] as const;
export type CapName = (typeof CAP_NAMES)[number];

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

/** The owner's setting of a cap, or of the cap that it is a share of. */
export const CAP_SETTINGS: Readonly<Partial<Record<CapName, BudgetVariable>>> = {
  turn: 'BUDGET_TURN_USD',
  session: 'BUDGET_SESSION_USD',
  job: 'BUDGET_JOB_USD',
  day: 'BUDGET_DAY_USD',
  tokens: 'BUDGET_DAY_TOKENS',
  quota: 'BUDGET_DAY_USD',
  'quota-tokens': 'BUDGET_DAY_TOKENS',
};

type BudgetVariable =
  | 'BUDGET_TURN_USD'
  | 'BUDGET_SESSION_USD'
  | 'BUDGET_JOB_USD'
  | 'BUDGET_DAY_USD'
  | 'BUDGET_DAY_TOKENS';

/** @param env checked: a value that is no amount allows nothing */
export const buildCaps = (env: Readonly<Record<BudgetVariable, string>>): BudgetCaps => ({
  turn: parseUsd(env.BUDGET_TURN_USD) ?? 0,
  session: parseUsd(env.BUDGET_SESSION_USD) ?? 0,
  job: parseUsd(env.BUDGET_JOB_USD) ?? 0,
  day: parseUsd(env.BUDGET_DAY_USD) ?? 0,
  dayTokens: Number(env.BUDGET_DAY_TOKENS),
});

/** Among the prices of webhooks: none has such a name. */
export const SPOKEN_CHARACTER = 'a spoken character';
export const toolPrice = (tool: string): string => `the tool ${tool}`;

/** @returns micro-dollars a character; undefined without a price of the owner's */
export const spokenPrice = ({
  SPEECH_PRICE = '',
}: {
  readonly SPEECH_PRICE?: string | undefined;
}): number | undefined => {
  const million = parseUsd(SPEECH_PRICE);
  return million === undefined ? undefined : million / 1_000_000;
};

/** `deploy=0.25, sms=0.01` → micro-dollars by name. */
export const buildCosts = (env: { readonly WEBHOOK_COSTS: string }): ReadonlyMap<string, number> =>
  new Map(
    env.WEBHOOK_COSTS.split(',').flatMap((part): [string, number][] => {
      const [name = '', amount = ''] = part.split('=');
      const cost = parseUsd(amount);
      return cost === undefined ? [] : [[normaliseName(name.trim()), cost]];
    }),
  );

/** With what a voice note costs: only Act sends one. */
export const buildActCosts = (env: Parameters<typeof buildCosts>[0] & Parameters<typeof spokenPrice>[0]) => {
  const spoken = spokenPrice(env);
  return new Map([...buildCosts(env), ...(spoken === undefined ? [] : [[SPOKEN_CHARACTER, spoken] as const])]);
};
