/**
 * Gathers what was said since the Scribe's last period, at most a day back. If nothing is new, it
 * finds nothing, and then no model is asked (I12).
 */
import { DAY_MS } from '../../base/limits.ts';
import { joinOrigins } from '../../signal/signal.ts';
import type { ToolContext, ToolOutput } from '../tool.ts';
import { buildGathering, type Gathered, summarisedTurns } from './gathered-turns.ts';

/** What is older was missed, as by a service that was down: it is left to summaries. */
const GATHER_BACK_MS = DAY_MS;

type GatherContext = Pick<ToolContext, 'memory' | 'records' | 'privacyTags'>;

/** Turns after `from`, up to and with `until`; epoch milliseconds. */
export const gather = async (
  { memory, records, privacyTags = [] }: GatherContext,
  from: number,
  until: number,
): Promise<Gathered> => {
  const gathering = buildGathering(privacyTags);
  await records.walkSignals(from + 1, gathering.visit);
  return gathering.finish(from, until, summarisedTurns(await memory.view()));
};

export const gatherTurns = async (context: ToolContext): Promise<ToolOutput> => {
  const from = Math.max((await context.records.loadScribed()) ?? 0, context.now - GATHER_BACK_MS);
  const { turns, until } = await gather(context, from, context.now);
  const text = turns.map((turn, n) => `Turn ${n + 1}\n${turn.text}`).join('\n\n');
  const output = JSON.stringify({ from, until, turns: turns.map(({ id }) => id), text });
  return { output, origin: joinOrigins(['agent', ...turns.map(({ origin }) => origin)]) };
};
