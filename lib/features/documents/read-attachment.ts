/**
 * Reads the files that came with messages: fetches the bytes through their channel, has a recording
 * written down, gives the text of a text file, and lets a function of its own read a document. The
 * first bytes say what a file is, never its name or what its sender called it. Reasons are plain
 * words for the person who sent it.
 */
import { ProtocolError, UnavailableError } from '../../core/base/errors.ts';
import { ATTACHMENT_BYTES_MAX } from '../../core/base/limits.ts';
import type { ActFeature, ActWays, KeyContext } from '../../core/operations/act-feature.ts';
import { DocumentAnswer, NO_READER } from '../../core/operations/document-messages.ts';
import { type Attachment, isRecording } from '../../core/signal/attachment.ts';
import { whyTooLarge } from '../../core/signal/attachment-bounds.ts';
import { documentWords, pictureWords, storedIn } from '../../core/signal/picture.ts';
import { buildContents, type ContentEnv, type Contents } from '../../core/store/contents.ts';
import { documentKind } from './document-kind.ts';
import { picturePixels } from './picture-size.ts';
import type { AttachmentPower } from './tools.ts';

/** A long book. Only its beginning is stored, and HTML is converted whole. */
const TEXT_BYTES_MAX = 2_000_000;

type ReadAttachment = AttachmentPower['read'];

/** Models take no larger ones, and make them smaller themselves. */
const PICTURE_BYTES_MAX = 4_000_000;
/** A viewer of a picture unpacks it whole, with 4 bytes a pixel. */
const PICTURE_PIXELS_MAX = 40_000_000;
const PICTURES: readonly (readonly [type: string, begins: RegExp])[] = [
  ['png', /^\x89PNG\r\n/],
  ['jpeg', /^\xff\xd8\xff/],
  ['webp', /^RIFF[\s\S]{4}WEBP/],
];

const pictureTypeOf = (bytes: Uint8Array): string | undefined => {
  const head = Buffer.from(bytes.subarray(0, 16)).toString('latin1');
  return PICTURES.find(([, begins]) => begins.test(head))?.[0];
};

const NO_EYES =
  'no model here is shown pictures; a provider that takes them, or "images": true for one in PROVIDERS, changes that';

const keepPicture = async (
  contents: Contents | undefined,
  type: string,
  bytes: Uint8Array,
  { pictures }: Attachment,
): ReturnType<ReadAttachment> => {
  if (pictures !== true || contents === undefined) throw new ProtocolError(NO_EYES);
  if (bytes.byteLength > PICTURE_BYTES_MAX)
    throw new ProtocolError('the picture has more than 4 MB; sent as a photo it is made smaller');
  if ((picturePixels(type, bytes) ?? 0) > PICTURE_PIXELS_MAX)
    throw new ProtocolError('the picture has more than 40 megapixels; sent as a photo it is made smaller');
  return { output: pictureWords({ type, hash: await contents.keep(bytes) }), origin: 'outside' };
};

type AttachmentWays = Pick<ActWays, 'contents' | 'runFunction'>;

const buildWays = (env: ContentEnv): AttachmentWays => ({
  contents: buildContents(env),
  runFunction: async (...given) => (await import('../../core/store/run-function.ts')).runFunction(...given),
});

/** Only code names what lies in the store. */
const notAName = (output: string): string => {
  if (storedIn(output) !== undefined) throw new ProtocolError('it only names a file');
  return output;
};

/** In an encoding that nobody names, text has no signs of control. */
const CONTROL = /[\p{Cc}--[\t\n\f\r]]/v;

/** Text without NUL. @returns undefined for anything else */
const textIn = async (bytes: Uint8Array) => {
  const { decodePage } = await import('../../core/base/decode-text.ts');
  const decoded = decodePage(bytes.subarray(0, TEXT_BYTES_MAX));
  const isText = decoded.isGuess ? !CONTROL.test(decoded.text) : !decoded.text.includes('\0');
  return isText ? decoded : undefined;
};

const HTML = /^\s*(?:<!--[\s\S]{0,1000}?-->\s*)?<(?:!doctype html|html)\b/i;

const readText = async (bytes: Uint8Array): ReturnType<ReadAttachment> => {
  const decoded = await textIn(bytes);
  if (decoded === undefined)
    throw new ProtocolError(
      'it is no text, picture (PNG, JPEG, WebP), PDF, office file or mail; nothing else can be read yet',
    );
  if (bytes.byteLength > TEXT_BYTES_MAX)
    throw new ProtocolError(`it has more than ${TEXT_BYTES_MAX / 1_000_000} MB of text`);
  const { text, isGuess } = decoded;
  const output = HTML.test(text) ? (await import('../../core/base/html-text.ts')).htmlText(text) : text;
  if (output.trim() === '') throw new ProtocolError('it is empty');
  return {
    output: `${isGuess ? `(Read with doubt: it is not UTF-8, so letters beside A to Z may be wrong.)\n\n` : ''}${notAName(output)}`,
    origin: 'outside',
  };
};

const askReader = async ({ runFunction }: AttachmentWays, reader: string, hash: string): Promise<DocumentAnswer> => {
  const outcome = await runFunction(reader, { hash });
  if (outcome.kind === 'answered') return DocumentAnswer.parse(outcome.answer);
  return { why: outcome.isTooLong ? 'reading it takes too long' : 'the program that reads such files broke on it' };
};

/** The bytes of one that was read stay in the store, and its text begins with their name. */
const readDocument = async (
  ways: AttachmentWays,
  reader: string | undefined,
  bytes: Uint8Array,
  type: Parameters<typeof documentWords>[0],
): ReturnType<ReadAttachment> => {
  const { contents } = ways;
  if (contents === undefined || reader === undefined) throw new ProtocolError(NO_READER);
  const hash = await contents.keep(bytes);
  const answer = await askReader(ways, reader, hash);
  if ('isGone' in answer) throw new UnavailableError('The file was erased by another reading of it. Try again later.');
  if ('why' in answer) {
    await contents.erase(hash);
    throw new ProtocolError(answer.why);
  }
  await contents.keepText(hash, answer.text);
  return { output: `${documentWords(type, bytes.byteLength, hash)}\n\n${answer.text}`, origin: 'outside' };
};

export const readStored: NonNullable<ActFeature['readStored']> = async ({ env, ways: given }, hash) => {
  if (env.DOCUMENT_FUNCTION === undefined) return { why: NO_READER };
  const ways = { ...buildWays(env), ...given };
  const answer = await askReader(ways, env.DOCUMENT_FUNCTION, hash);
  if ('isGone' in answer) return undefined;
  if ('why' in answer) return answer;
  await ways.contents?.keepText(hash, answer.text);
  return answer.text;
};

/** @throws ProtocolError for bytes of no picture that came as a photo */
const readBytes = (
  ways: AttachmentWays,
  reader: string | undefined,
  bytes: Uint8Array,
  attachment: Attachment,
): ReturnType<ReadAttachment> => {
  const type = pictureTypeOf(bytes);
  if (type !== undefined) return keepPicture(ways.contents, type, bytes, attachment);
  if (attachment.kind === 'a photo') throw new ProtocolError('it is not a picture in a format that is known');
  const kind = documentKind(bytes);
  return kind === undefined ? readText(bytes) : readDocument(ways, reader, bytes, kind === 'old-office' ? 'zip' : kind);
};

export const buildAttachmentPower = ({ env, fetchFile, ways: given }: KeyContext): AttachmentPower => ({
  read: async (attachment, session, recordings, noteCost = () => undefined) => {
    // A failure before a provider has it costs nothing.
    noteCost(0);
    const tooLarge = whyTooLarge(attachment);
    if (tooLarge !== undefined) throw new ProtocolError(tooLarge);
    const isHeard = isRecording(attachment.kind);
    if (isHeard && recordings === undefined)
      throw new ProtocolError('no model for recordings is set; TRANSCRIPTION_MODEL, such as gpt-transcribe, names one');
    if (attachment.kind === 'a photo' && attachment.pictures !== true) throw new ProtocolError(NO_EYES);
    const bytes = await fetchFile(session, attachment.file, ATTACHMENT_BYTES_MAX);
    if (isHeard && recordings !== undefined)
      return { output: notAName(await recordings.hear(attachment, bytes, noteCost)), origin: 'owner' };
    return readBytes({ ...buildWays(env), ...given }, env.DOCUMENT_FUNCTION, bytes, attachment);
  },
});
