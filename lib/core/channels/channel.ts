/**
 * The contract of a channel. `signal/channels.ts` says what a channel can do; its folder here holds
 * how. `test/core/channels/contract.ts` holds every channel to what is written here.
 */

import type { Language } from '../base/language.ts';
import type { Reaction } from '../ledger/reactions.ts';
import type { MessageNumber } from '../ledger/record.ts';
import type { Actuator } from '../signal/actuator.ts';
import type { ReplyRoute, Signal } from '../signal/signal.ts';
import type { Secrets } from '../store/secrets.ts';
import type { Environment } from '../store/settings.ts';
import type { Table } from '../store/table.ts';

/** One thing that came in. */
export type Intake =
  /** The message's number, or that of the one it corrects; with its album. */
  | { readonly kind: 'signal'; readonly signal: Signal; readonly number?: MessageNumber }
  | Unpaired
  /** `reason` goes to the log and quotes nothing; `say` is shown to the person who tapped. */
  | { readonly kind: 'ignored'; readonly reason: string; readonly say?: string; readonly reaction?: Reaction }
  /** A tap that asks why an answer is as it is, by the signal that gave it. Nothing is stored. */
  | { readonly kind: 'asks-why'; readonly signalId: string; readonly chat: string; readonly language: Language };

/** A person in a chat that is not served. */
export interface Unpaired {
  readonly kind: 'unpaired';
  /** The id for a notice about it. */
  readonly signalId: string;
  readonly place: Pick<ReplyRoute, 'to' | 'topic'>;
  readonly userId: string;
  readonly pairingCode?: string;
  /** The one that the person's client speaks, if it is another one of the product's. */
  readonly language?: Language;
}

/** The one signal of an update, with the same id each time, by what the channel vouches for. */
export type Parse<Config> = (update: unknown, config: Config) => Intake;

/** The way out of a channel that sends messages. */
export interface Sender {
  /**
   * Shows exactly the judged text. With `edits` it replaces a message; with `card` the message has
   * buttons whose taps come back as decisions. An answer that is lost ends as `unknown`, and
   * nothing that was sent is sent again. `done` gives numbers of messages that `edits` may name.
   */
  readonly actuator: Actuator;
  /** Shows a text still being written; a later one of the same id replaces it. Never rejects. */
  readonly sendDraft: (place: ReplyRoute, draftId: number, text: string) => Promise<void>;
  /** Shows for some seconds that an answer is on its way. Never rejects. */
  readonly sendTyping: (place: ReplyRoute) => Promise<void>;
  /** @throws ProtocolError if it cannot be had or is larger; UnavailableError if later perhaps */
  readonly fetchFile?: (file: string, bytesMax: number) => Promise<Uint8Array<ArrayBuffer>>;
}

/** Notes a message that the agent wrote without outside text, so that a reply may quote it. */
export type NoteOwn = (chat: string, message: number, now: number) => Promise<void>;

/** The bytes of a picture or document that a person sent; undefined if they are gone. */
export type LoadFile = (hash: string) => Promise<Uint8Array<ArrayBuffer> | undefined>;

/** All of an approval's card in the language of its text, if it is too long for one message. */
export type LoadCard = (approvalId: string, language: Language) => Promise<string | undefined>;

/** Gives a text as Ogg Opus. @param noteCost told what it has come to, also before a failure */
export type SayAloud = (text: string, noteCost: (usd: number) => void) => Promise<Uint8Array<ArrayBuffer>>;

/** A channel's way out, loaded with its first message. */
export type LoadSender = () => Promise<Sender>;
/** By the target of a route; channels whose texts are stored have none. */
export type Senders = ReadonlyMap<string, LoadSender>;

export interface SenderParts {
  readonly env: Environment<'act'>;
  readonly secrets: Secrets;
  readonly table: Pick<Table, 'put' | 'load' | 'update'>;
  readonly noteOwn: NoteOwn;
  readonly sayAloud: SayAloud;
  readonly loadFile: LoadFile;
  readonly loadCard: LoadCard;
}

/** @returns undefined without its settings */
export type BuildSender = (parts: SenderParts) => LoadSender | undefined;
