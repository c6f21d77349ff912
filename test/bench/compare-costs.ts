/**
 * Runs the 200 scripted turns through the three stages, with real prompts, the real cascade over
 * HTTP and the real counter, once for each of: everything asked of the large model or by
 * difficulty, with the provider's cache or without. Prices are those of the default provider. Says
 * what the provider billed and what was booked here, which must be the same to the micro-dollar.
 */

import { askCascade } from '../../lib/core/llm/cascade.ts';
import { buildOpenAiAsk } from '../../lib/core/llm/openai-client.ts';
import { microDollarsOf, priceOf } from '../../lib/core/llm/prices.ts';
import { findProvider, type Provider } from '../../lib/core/llm/providers.ts';
import { parseDaySpend, spendKey } from '../../lib/core/money/day-spend.ts';
import { startDynamo, type TestDynamo } from '../support/dynamo.ts';
import { buildSimulation, OPENAI, ownerMessage } from '../support/simulation.ts';
import { type BilledCall, startCachingModel } from './caching-model.ts';
import { type ScriptedTurn, TURNS } from './turn-script.ts';

export const SMALL = 'gpt-6-luna';
export const LARGE = 'gpt-6-sol';
const LISTED = { name: 'openai', baseUrl: 'https://api.openai.com/v1' };

/**
 * A Sunday morning; a conversation takes a quarter of an hour, and the next one begins long after.
 */
const STARTS_AT = Date.UTC(2026, 10, 22, 6);
const PAUSE_MS = 45_000;
const BETWEEN_MS = 60 * 60_000;

export interface CostOfScript {
  readonly isRouted: boolean;
  readonly hasCache: boolean;
  readonly calls: readonly BilledCall[];
  /**
   * Micro-dollars the provider billed, and that were booked; the parts of the saving that were
   * booked.
   */
  readonly billedUsd: number;
  readonly bookedUsd: number;
  readonly savedByTier: number;
  readonly savedByCache: number;
  readonly stableShares: readonly number[];
}

const priceList = Object.fromEntries([SMALL, LARGE].map((model) => [model, priceOf({ ...LISTED, model })]));

const providerAt = (baseUrl: string, isRouted: boolean): Provider => {
  const thinking = { over: 'responses', effort: 'medium' } as const;
  const model = { contextTokens: 128_000, extraBody: {}, thinking };
  return {
    name: 'openai',
    baseUrl,
    key: 'none',
    model: isRouted ? SMALL : LARGE,
    ...model,
    ...(isRouted ? { large: { model: LARGE, ...model } } : {}),
    answerTokensField: 'max_completion_tokens',
    callExtra: {},
    prices: priceList,
  };
};

const bookedIn = async ({ table }: TestDynamo, space: string, now: number) => {
  const [item] = await table.load([spendKey(space, now)], { isConsistent: true });
  const { usd, savedByTier, savedByCache } = parseDaySpend(item);
  return { usd, savedByTier, savedByCache };
};

/** @throws Error where a turn is answered otherwise than the script says */
export const runScript = async (
  dynamo: TestDynamo,
  { isRouted, hasCache }: Pick<CostOfScript, 'isRouted' | 'hasCache'>,
  turns: readonly ScriptedTurn[] = TURNS,
): Promise<CostOfScript> => {
  const space = `cost-${isRouted}-${hasCache}`;
  let current = turns[0];
  let clock = () => 0;
  const model = await startCachingModel({
    current: () => {
      if (current === undefined) throw new Error('no turn is running');
      return current;
    },
    hasCache,
    now: () => clock(),
  });
  try {
    const provider = providerAt(model.baseUrl, isRouted);
    const ask = buildOpenAiAsk();
    const simulation = buildSimulation({
      table: dynamo.table,
      space,
      startAt: STARTS_AT,
      answer: () => ({}),
      ask: (prompt, remainingMs, { providers, shrink }) =>
        askCascade({
          providers: providers.flatMap((wanted) => findProvider([provider], wanted)),
          request: prompt,
          ask,
          remainingMs,
          shrink,
          log: (line) => {
            throw new Error(line);
          },
        }),
      variables: {
        ...OPENAI,
        ...(isRouted ? {} : { PROVIDER_CASCADE: `openai:${LARGE}` }),
        BUDGET_SESSION_USD: '1000',
        BUDGET_DAY_USD: '1000',
        BUDGET_DAY_TOKENS: '1000000000',
      },
    });
    clock = simulation.now;
    for (const [index, turn] of turns.entries()) {
      simulation.advance(current?.chat === turn.chat ? PAUSE_MS : BETWEEN_MS);
      current = turn;
      const answers = simulation.sent.length;
      await simulation.accept(ownerMessage(space, index + 1, turn.text, turn.chat, simulation.now()));
      await simulation.drain();
      if (simulation.sent.slice(answers).at(-1)?.text !== turn.answer)
        throw new Error(`turn ${index + 1} was answered otherwise: ${simulation.sent.at(-1)?.text}`);
    }
    const booked = await bookedIn(dynamo, space, simulation.now());
    const billedUsd = model.calls.reduce(
      (sum, call) => sum + microDollarsOf(priceOf({ ...LISTED, model: call.model }), call),
      0,
    );
    const { calls, stableShares } = model;
    const { usd: bookedUsd, savedByTier, savedByCache } = booked;
    return { isRouted, hasCache, calls, billedUsd, bookedUsd, savedByTier, savedByCache, stableShares };
  } finally {
    await model.close();
  }
};

/** The dearest first: neither, routing, cache, both. @param progress told before each */
export const compareCosts = async (progress: (line: string) => void): Promise<readonly CostOfScript[]> => {
  await using dynamo = await startDynamo();
  const found: CostOfScript[] = [];
  for (const hasCache of [false, true]) {
    for (const isRouted of [false, true]) {
      progress(
        `${TURNS.length} turns ${isRouted ? 'with' : 'without'} routing, ${hasCache ? 'with' : 'without'} cache`,
      );
      found.push(await runScript(dynamo, { isRouted, hasCache }));
    }
  }
  return found;
};
