/**
 * The turn that asks for a summary, as the model is asked: the turns that leave the conversation as one text, with the one tool for
 * it, and nothing beside them. Pure.
 */
import { showTurnsToSummarise } from '../../prompt/history-section.ts';
import { NO_MCP } from '../../tools/mcp/catalogue.ts';
import type { LoadedTurn } from './load-turn.ts';

/** The turn as it is, where it asks for no summary. Without a step, where nobody's own words are in the turns. */
export const asSummaryTurn = (turn: LoadedTurn): LoadedTurn => {
  if (turn.record.signal.payload.sensor !== 'session-summary') return turn;
  const pieces = showTurnsToSummarise(turn.history);
  const steps = pieces.length === 0 ? [] : [{ kind: 'input', pieces } as const];
  return { ...turn, steps, history: [], logs: [], mailbox: [], mcp: NO_MCP };
};
