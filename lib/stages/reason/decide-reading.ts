/**
 * Decides that a file which came with a message is read before a model is asked: one call that code
 * makes, with its price, judged as any other (I1). Its result returns as a child signal, and the
 * turn goes on.
 */
import { defined } from '../../base/defined.ts';
import { decideByCode } from '../../judge/judge.ts';
import { takesPictures } from '../../llm/provider-table.ts';
import { recordingPrice } from '../../llm/transcription.ts';
import type { Action } from '../../signal/action.ts';
import { isRecording, READ_ATTACHMENT } from '../../signal/attachment.ts';
import { parseAttachmentPiece } from '../../signal/attachment-piece.ts';
import type { Decision } from '../../signal/decision.ts';
import type { TextPiece } from '../../signal/signal.ts';
import { factSources } from './attempt.ts';
import type { LoadedTurn } from './load-turn.ts';
import type { ReasonDeps } from './reason-deps.ts';

/** @returns undefined for a file of a kind that another release knows */
export const decideReading = async (
  deps: ReasonDeps,
  turn: LoadedTurn,
  piece: TextPiece,
): Promise<Decision | undefined> => {
  const attachment = parseAttachmentPiece(piece);
  if (attachment === undefined) return undefined;
  const policy = await deps.loadPolicy(turn.policyText);
  const context = { deps, turn, policy, spending: turn.spending, rejected: [], skills: {} };
  const isPaid = deps.transcription !== undefined && isRecording(attachment.kind);
  const price = isPaid ? recordingPrice(deps.transcription, attachment) : undefined;
  const pictures = !isPaid && deps.budget.providers.some(takesPictures) ? true : undefined;
  const action: Action = {
    target: 'tool',
    tool: READ_ATTACHMENT,
    args: { ...defined({ ...attachment, price, pictures }) },
    explanation: 'it came with the message',
    author: 'owner',
  };
  const asked = { signalId: turn.record.signal.id, outcome: 'act', reason: '' } as const;
  return decideByCode(
    deps.gateSet,
    asked,
    [action],
    factSources(context, { prompt: { origin: piece.origin, seen: [] } }),
  );
};
