/**
 * The content of a Slack message, as pieces of text with an origin (I13). `owner` is only what an
 * approver typed into this very message, and spoke into a recording in private. Words of others,
 * forwards, previews and addresses behind words are `outside`. Slack writes control sequences in
 * angle brackets, and escapes those that a person typed:
 * https://docs.slack.dev/messaging/formatting-message-text. Pure.
 */
import { defined } from '../../core/base/defined.ts';
import { SECOND_MS, SIGNAL_TEXT_CHARS_MAX } from '../../core/base/limits.ts';
import { Attachment, INGEST_LABEL } from '../../core/signal/attachment.ts';
import { buildAttachmentPiece } from '../../core/signal/attachment-piece.ts';
import { CORRECTION, type TextPiece } from '../../core/signal/signal.ts';
import { REACTION } from '../chats/chat-signal.ts';
import { placeIn } from './ids.ts';
import { SlackFile, type SlackMessage } from './payload-schema.ts';

/** A quote, or all addresses of a message. */
const SLACK_QUOTE_CHARS_MAX = 4_096;
const SLACK_NAME_CHARS_MAX = 128;
/** Files of one message that are read. */
const SLACK_FILES_MAX = 4;

/** Well-formed, without NUL, and no half character at the end. */
const cleanText = (text: string, charsMax: number): string => {
  const cut = text.replaceAll('\0', '\uFFFD').toWellFormed().slice(0, charsMax);
  return cut.isWellFormed() ? cut : cut.slice(0, -1);
};

const ENTITIES: Readonly<Record<string, string>> = { '&lt;': '<', '&gt;': '>', '&amp;': '&' };
const unescapeText = (text: string): string => text.replace(/&(?:lt|gt|amp);/g, (entity) => ENTITIES[entity] ?? entity);

export interface Decoded {
  /** As the person sees it, without the names of the agent in front. */
  readonly text: string;
  /** Addresses that stand behind other words. */
  readonly links: readonly string[];
  /** Ids of people whom the text names, beside the agent. */
  readonly members: readonly string[];
}

/** @param self user id of the agent */
export const decode = (source: string, self: string): Decoded => {
  const links: string[] = [];
  const members = new Set<string>();
  const text = source
    .split(/(<[^<>]{1,3000}>)/)
    .map((part, n) => {
      if (n % 2 === 0) return unescapeText(part);
      const [what = '', label] = part.slice(1, -1).split('|', 2).map(unescapeText);
      if (what === `@${self}`) return '@me';
      if (what.startsWith('@')) {
        members.add(what.slice(1));
        return what;
      }
      if (what.startsWith('#')) return `#${label || what.slice(1)}`;
      if (what.startsWith('!')) return label ?? `@${what.slice(1)}`;
      if (label === undefined || label === what) return what;
      links.push(`“${label}” leads to ${what.replace(/\s/g, ' ')}`);
      return label;
    })
    .join('');
  return { text: text.replace(/^\s*(?:@me[\s:,]*)+/, ''), links, members: [...members] };
};

/** Slack takes a message that begins with `/` for a command of Slack, so `!` stands for it too. */
export const typedText = (text: string): string => text.trim().replace(/^!(?=[a-z])/i, '/');

const outside = (text: string, label: string, charsMax: number): readonly TextPiece[] =>
  text.trim() === '' ? [] : [{ text: cleanText(text, charsMax), origin: 'outside', label }];
const note = (text: string, label = 'note'): TextPiece => ({ text, origin: 'agent', label });

/** Made in Slack by the person who sends them. */
const RECORDED: readonly string[] = ['slack_audio', 'slack_video'];

const kindOf = ({ mimetype, subtype }: SlackFile): Attachment['kind'] => {
  if (subtype === 'slack_audio') return 'a voice message';
  if (subtype === 'slack_video') return 'a video message';
  if (mimetype?.startsWith('audio/') === true) return 'an audio file';
  return mimetype?.startsWith('image/') === true ? 'a photo' : 'a file';
};

const filePieces = (message: SlackMessage, isOwnPlace: boolean): readonly TextPiece[] =>
  message.files.slice(0, SLACK_FILES_MAX).flatMap((given): readonly TextPiece[] => {
    const { data: file } = SlackFile.safeParse(given);
    const kind = file === undefined ? undefined : kindOf(file);
    const seconds = file?.duration_ms === undefined ? undefined : Math.ceil(file.duration_ms / SECOND_MS);
    const { data } = Attachment.safeParse({ kind, file: file?.id, ...defined({ seconds, bytes: file?.size }) });
    if (file === undefined || data === undefined) return [note('[a file: it cannot be read yet]', 'attachment')];
    const isSpoken = RECORDED.includes(file?.subtype ?? '');
    const isOwners = isSpoken && isOwnPlace && file.user === message.user;
    return [
      buildAttachmentPiece(data, isOwners ? 'owner' : 'outside'),
      ...(isSpoken ? [] : outside(file.name ?? '', 'file-name', SLACK_NAME_CHARS_MAX)),
    ];
  });

/** Forwards and previews: somebody else chose their words. */
const attachedPieces = ({ attachments }: SlackMessage, self: string): readonly TextPiece[] => {
  const words = attachments.flatMap(({ text, fallback, author_name: author }) => {
    const shown = decode(text || fallback || '', self).text;
    return shown === '' ? [] : [author ? `${author}: ${shown}` : shown];
  });
  return outside(words.join('\n'), 'forward', SLACK_QUOTE_CHARS_MAX);
};

interface Reading {
  readonly self: string;
  readonly team: string;
  readonly isApprover: boolean;
  readonly isPrivate: boolean;
  readonly isEdit: boolean;
  readonly reactions: readonly string[];
}

/** Only groups need to say who is speaking. Slack vouches for the id. */
const namePieces = ({ user }: SlackMessage, { team, isApprover, isPrivate }: Reading): readonly TextPiece[] =>
  isPrivate
    ? []
    : [note(`[${isApprover ? 'an approver' : 'a member'} wrote this: slack:${placeIn(team, user)}]`, 'sender')];

/** The subject of an approver's `/ingest`: the files of this message. Empty without one. */
export const ingestPieces = (message: SlackMessage): readonly TextPiece[] => {
  const files = filePieces(message, false);
  return files.length === 0 ? [] : [...files, { text: '/ingest', origin: 'owner', label: INGEST_LABEL }];
};

/** All pieces of a message, the sender's own words first. */
export const buildTextPieces = (message: SlackMessage, reading: Reading): readonly TextPiece[] => {
  const { self, team, isApprover, isPrivate, isEdit, reactions } = reading;
  const { text, links, members } = decode(message.text, self);
  const origin = isApprover ? 'owner' : 'outside';
  const main = {
    text: cleanText(text, SIGNAL_TEXT_CHARS_MAX),
    origin,
    ...(isApprover ? {} : { label: 'member' }),
  } as const;
  const isCut = text.length > SIGNAL_TEXT_CHARS_MAX;
  const named = members.map((id) => `slack:${placeIn(team, id)}`).join(', ');
  return [
    ...(isEdit ? [CORRECTION] : []),
    ...(text.trim() === '' ? [] : [main]),
    ...(isCut ? [note(`[the text was cut here: it had ${text.length} characters]`)] : []),
    ...filePieces(message, isApprover && isPrivate),
    ...attachedPieces(message, self),
    ...outside(links.join('\n'), 'links', SLACK_QUOTE_CHARS_MAX),
    ...(named === '' ? [] : [note(`[the text names the member ${named}]`)]),
    ...namePieces(message, reading),
    ...(reactions.length === 0 || isEdit
      ? []
      : [note(`[since the last message, this person put ${reactions.join(', ')} on a message here]`, REACTION)]),
  ];
};
