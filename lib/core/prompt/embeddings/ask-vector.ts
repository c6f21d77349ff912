/**
 * Asks for the vector of a turn's question, from the endpoint that made memory's vectors: within a
 * short time, paid from the day's budget, and never worth a failed turn. Without a vector, search
 * goes by words alone.
 */
import { ProtocolError, UnavailableError } from '../../base/errors.ts';
import { estimateTokens } from '../../base/estimate-tokens.ts';
import { PROMPT_ESTIMATE_PERCENT } from '../../base/limits.ts';
import { holdsSecret } from '../../gates/rules/find-secrets.ts';
import type { RetrievalQuestion } from '../../memory/search/search.ts';
import { modelIdOf } from '../../memory/search/vector-segment.ts';
import type { BudgetCaps } from '../../money/caps.ts';
import { reserveCall } from '../../money/reserve.ts';
import type { Table } from '../../store/table.ts';
import type { EmbeddingEndpoint, EmbedTexts } from './embed-texts.ts';
import { embeddingCost } from './embed-texts.ts';

const EMBEDDING_QUESTION_TIMEOUT_MS = 1_500;

export interface AskVector {
  /** `modelIdOf` the model asked. */
  readonly model: string;
  /** @throws UnavailableError only if the table does not answer */
  readonly ask: (
    text: string,
    at: { readonly signalId: string; readonly now: number },
  ) => Promise<RetrievalQuestion['vector']>;
}

export const buildAskVector = (deps: {
  readonly endpoint: EmbeddingEndpoint;
  readonly embed: EmbedTexts;
  readonly table: Pick<Table, 'update'>;
  readonly space: string;
  readonly caps: BudgetCaps;
  readonly secrets: ReadonlyMap<string, string>;
  readonly log: (line: string) => void;
}): AskVector => {
  const { endpoint, table, space, caps } = deps;
  const model = modelIdOf(endpoint.model);
  const isPaid = async (text: string, signalId: string, now: number): Promise<boolean> => {
    const tokens = Math.ceil((estimateTokens(text) * PROMPT_ESTIMATE_PERCENT) / 100);
    const usd = embeddingCost(endpoint, tokens);
    if (usd === 0) return true;
    const account = { session: 'embeddings', root: signalId, turnUsd: 0 };
    const worst = { id: `${signalId}/question`, usd, tokens };
    const reserved = await reserveCall(table, space, now, undefined, { account, worst, caps });
    return reserved.kind === 'reserved';
  };
  return {
    model,
    ask: async (text, { signalId, now }) => {
      if (holdsSecret(text, deps.secrets) || !(await isPaid(text, signalId, now))) return undefined;
      try {
        const { vectors } = await deps.embed(endpoint, [text], EMBEDDING_QUESTION_TIMEOUT_MS);
        return vectors[0] === undefined ? undefined : { values: vectors[0], model };
      } catch (error) {
        if (!(error instanceof UnavailableError || error instanceof ProtocolError)) throw error;
        deps.log(error.message);
        return undefined;
      }
    },
  };
};
