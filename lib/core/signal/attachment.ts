/**
 * A file that came with a message: its address at the channel, and the piece of text that stands
 * for it. Every release can store and show such a piece. Its origin is that of the words in the
 * file: an approver's own recording holds his words, all else is `outside`. Pure.
 */
import * as z from 'zod/mini';
import type { Json } from '../base/json.ts';
import { RECEIVE_COUNT_MAX } from '../base/limits.ts';
import type { Because } from './because.ts';
import type { Effect } from './decision.ts';
import type { Payload, TextPiece } from './signal.ts';

/** The tool that reads such a file. Code calls it; no model may. */
export const READ_ATTACHMENT = 'read-attachment';
export const ATTACHMENT_LABEL = 'file';
/** An approver's `/ingest` beside a file: its text goes into memory, and no model is asked. */
export const INGEST_LABEL = 'ingest';
/** The tool that keeps it, after a yes. */
export const INGEST_FILE = 'ingest-file';

const RECORDINGS = ['a voice message', 'a video message', 'an audio file'] as const;
/** It holds speech, which is written down. */
export const isRecording = (kind: Json | undefined): boolean => RECORDINGS.some((one) => one === kind);

const amount = z.optional(z.int().check(z.nonnegative()));
export const Attachment = z.strictObject({
  kind: z.enum([...RECORDINGS, 'a file', 'a photo']),
  /** The channel's id of the file. */
  file: z.string().check(z.regex(/^[\w-]{1,256}$/)),
  /** Both as the sender's program says, so neither is certain. */
  seconds: amount,
  bytes: amount,
  /** Micro-dollars. Code sets it when it decides, and it is paid with the claim. */
  price: amount,
  /** A model here takes pictures. */
  pictures: z.optional(z.literal(true)),
});
export type Attachment = z.infer<typeof Attachment>;

/** Writes down what is said in a recording. @throws ProtocolError in words for the person */
export interface RecordingPower {
  readonly hear: (
    attachment: Attachment,
    bytes: Uint8Array<ArrayBuffer>,
    noteCost: (usd: number) => void,
  ) => Promise<string>;
}

const textOf = (payload: Payload): readonly TextPiece[] => (payload.sensor === 'chat-message' ? payload.text : []);

/** Several, if they came as one album. */
export const attachmentsIn = (payload: Payload): readonly TextPiece[] =>
  textOf(payload).filter(({ label }) => label === ATTACHMENT_LABEL);

export const isToIngest = (payload: Payload): boolean => textOf(payload).some(({ label }) => label === INGEST_LABEL);

/** The sender's name for a file; the n-th of the message. */
export const fileNameIn = (payload: Payload, n: number): string => {
  const pieces = textOf(payload);
  const after = pieces[pieces.indexOf(attachmentsIn(payload)[n] ?? { text: '', origin: 'outside' }) + 1];
  const name = after?.label === 'file-name' ? after.text.replace(/\p{C}/gu, ' ').trim() : '';
  return name === '' ? 'a file' : name;
};

/** The sender's own words come first, if there are any. */
export const hasWords = (payload: Payload): boolean => attachmentsIn(payload)[0] !== textOf(payload)[0];

/** The piece without what only a machine reads. */
export const showAttachment = (piece: TextPiece): TextPiece =>
  piece.label === ATTACHMENT_LABEL ? { ...piece, text: piece.text.replace(/, file [\w-]+\]$/, ']') } : piece;

/** How a person, and later turns, read what was heard. */
export const heardWords = (text: string): string => `I heard: “${text}”`;

/** Template of the notice about such a failure: it has a button that reads the file again. */
export const NOT_READ = 'not-read';

/** It could not be read for a reason that passes: it says so, or was tried until the end. */
export const mayReadAgain = (
  { state, tries }: Effect,
  because: Because | undefined,
  tool: string | undefined,
): boolean =>
  tool === READ_ATTACHMENT && state === 'failed' && (because?.code === 'later' || tries >= RECEIVE_COUNT_MAX);
