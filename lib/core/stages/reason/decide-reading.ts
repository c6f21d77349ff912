/**
 * Decides that the files which came with a message are read before a model is asked: one call for
 * each that code makes, with its price, judged as any other (I1). The results return as a child
 * signal, and the turn goes on.
 */

import { REASON_FEATURES } from '../../../features/reason.ts';
import { defined } from '../../base/defined.ts';
import { textHash } from '../../base/text-hash.ts';
import { commandNotices } from '../../judge/command-notices.ts';
import { decideByCode } from '../../judge/judge.ts';
import { takesPictures } from '../../llm/provider-table.ts';
import type { Action } from '../../signal/action.ts';
import { type Attachment, fileNameIn, INGEST_FILE, isRecording, READ_ATTACHMENT } from '../../signal/attachment.ts';
import { parseAttachmentPiece } from '../../signal/attachment-piece.ts';
import type { Decision } from '../../signal/decision.ts';
import { pictureIn } from '../../signal/picture.ts';
import { joinOrigins, type Origin, type TextPiece } from '../../signal/signal.ts';
import { findTool } from '../../tools/catalogue.ts';
import { factSources } from './attempt.ts';
import type { LoadedTurn } from './load-turn.ts';
import type { ReasonDeps } from './reason-deps.ts';
import { refuse } from './refuse.ts';

const buildReading = (deps: ReasonDeps, attachment: Attachment): Action => {
  const { recordings, providers } = deps.budget;
  const isPaid = recordings !== undefined && isRecording(attachment.kind);
  const [priceOf] = REASON_FEATURES.flatMap(({ recordingPrice }) => recordingPrice ?? []);
  const price = isPaid ? (priceOf?.(recordings, attachment) ?? 0) : undefined;
  const pictures = !isPaid && providers.some(takesPictures) ? true : undefined;
  return {
    target: 'tool',
    tool: READ_ATTACHMENT,
    args: { ...defined({ ...attachment, price, pictures }) },
    explanation: 'it came with the message',
    author: 'owner',
  };
};

const decide = async (
  deps: ReasonDeps,
  turn: LoadedTurn,
  actions: readonly Action[],
  origin: Origin,
): Promise<Decision> => {
  const policy = await deps.loadPolicy(turn.owner.policyText);
  const context = { deps, turn, policy, spending: turn.spending, rejected: [], part: undefined, jobTools: undefined };
  const asked = { signalId: turn.record.signal.id, outcome: 'act', reason: '' } as const;
  return decideByCode(deps.gateSet, asked, actions, factSources(context, { prompt: { origin, seen: [] } }));
};

/** @returns undefined if all are of kinds that another release knows, or nothing reads files */
export const decideReading = async (
  deps: ReasonDeps,
  turn: LoadedTurn,
  pieces: readonly TextPiece[],
): Promise<Decision | undefined> => {
  const attachments = pieces.flatMap((piece) => parseAttachmentPiece(piece) ?? []);
  if (attachments.length === 0 || findTool(READ_ATTACHMENT) === undefined) return undefined;
  const actions = attachments.map((attachment) => buildReading(deps, attachment));
  return decide(deps, turn, actions, joinOrigins(pieces.map(({ origin }) => origin)));
};

/**
 * Decides that the texts of files are kept, as their approver asked: the action is the command, and
 * names the text by its hash. The kept output has the origin of the text.
 */
export const decideIngest = async (deps: ReasonDeps, turn: LoadedTurn): Promise<Decision> => {
  const { signal } = turn.record;
  const results = 'results' in signal.payload ? signal.payload.results : [];
  const texts = results.filter(
    ({ tool, state, output }) => tool === READ_ATTACHMENT && state === 'done' && pictureIn(output) === undefined,
  );
  if (texts.length === 0) {
    const why = 'a picture has no text that could be kept';
    return refuse(deps, turn, why, [commandNotices.memory([`Nothing was kept: ${why}.`])]);
  }
  const actions = texts.map(
    ({ n, output }): Action => ({
      target: 'tool',
      tool: INGEST_FILE,
      args: { n, hash: textHash(output), name: fileNameIn(turn.root.payload, n) },
      explanation: 'asked for with the command /ingest',
      author: 'owner',
    }),
  );
  return decide(deps, turn, actions, 'owner');
};
