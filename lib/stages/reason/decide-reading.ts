/**
 * Decides that the files which came with a message are read before a model is asked: one call for
 * each that code makes, with its price, judged as any other (I1). The results return as a child
 * signal, and the turn goes on.
 */
import { defined } from '../../base/defined.ts';
import { decideByCode } from '../../judge/judge.ts';
import { takesPictures } from '../../llm/provider-table.ts';
import { recordingPrice } from '../../llm/transcription.ts';
import type { Action } from '../../signal/action.ts';
import { type Attachment, isRecording, READ_ATTACHMENT } from '../../signal/attachment.ts';
import { parseAttachmentPiece } from '../../signal/attachment-piece.ts';
import type { Decision } from '../../signal/decision.ts';
import { joinOrigins, type TextPiece } from '../../signal/signal.ts';
import { factSources } from './attempt.ts';
import type { LoadedTurn } from './load-turn.ts';
import type { ReasonDeps } from './reason-deps.ts';

const buildReading = (deps: ReasonDeps, attachment: Attachment): Action => {
  const isPaid = deps.transcription !== undefined && isRecording(attachment.kind);
  const price = isPaid ? recordingPrice(deps.transcription, attachment) : undefined;
  const pictures = !isPaid && deps.budget.providers.some(takesPictures) ? true : undefined;
  return {
    target: 'tool',
    tool: READ_ATTACHMENT,
    args: { ...defined({ ...attachment, price, pictures }) },
    explanation: 'it came with the message',
    author: 'owner',
  };
};

/** @returns undefined if all are of kinds that another release knows */
export const decideReading = async (
  deps: ReasonDeps,
  turn: LoadedTurn,
  pieces: readonly TextPiece[],
): Promise<Decision | undefined> => {
  const attachments = pieces.flatMap((piece) => parseAttachmentPiece(piece) ?? []);
  if (attachments.length === 0) return undefined;
  const policy = await deps.loadPolicy(turn.policyText);
  const context = { deps, turn, policy, spending: turn.spending, rejected: [], skills: {} };
  const asked = { signalId: turn.record.signal.id, outcome: 'act', reason: '' } as const;
  const origin = joinOrigins(pieces.map((piece) => piece.origin));
  return decideByCode(
    deps.gateSet,
    asked,
    attachments.map((attachment) => buildReading(deps, attachment)),
    factSources(context, { prompt: { origin, seen: [] } }),
  );
};
