/**
 * The parts of an event of signal-cli that are read: `MessageEnvelope` and what it holds, in the
 * records of `org.asamk.signal.json`. Fields without a value are null there. Signal vouches for the
 * ids of accounts and groups; texts and names are a person's.
 */
import * as z from 'zod/mini';

const text = z.nullish(z.string());
/** Epoch milliseconds at the sender, which Signal takes as the number of a message. */
const timestamp = z.int().check(z.positive());

const Mention = z.looseObject({ uuid: text, number: text, start: z.int(), length: z.int() });
export type Mention = z.infer<typeof Mention>;

const SignalFile = z.looseObject({ id: text, contentType: text, filename: text, size: z.nullish(z.number()) });
export type SignalFile = z.infer<typeof SignalFile>;

const list = <T>(of: z.ZodMiniType<T>) => z.catch(z.nullish(z.array(of)), undefined);

const Message = z.looseObject({
  timestamp,
  message: text,
  viewOnce: z.nullish(z.boolean()),
  reaction: z.nullish(z.looseObject({ emoji: z.string(), targetSentTimestamp: timestamp, isRemove: z.boolean() })),
  quote: z.nullish(z.looseObject({ id: z.int(), authorUuid: text, authorNumber: text, text })),
  mentions: list(Mention),
  attachments: list(SignalFile),
  sticker: z.nullish(z.looseObject({ emoji: text })),
  groupInfo: z.nullish(z.looseObject({ groupId: z.string(), type: z.string() })),
});
export type Message = z.infer<typeof Message>;

export const SignalEvent = z.looseObject({
  /** The agent's own account: its number, or its id if it has none. */
  account: z.string(),
  envelope: z.looseObject({
    sourceUuid: text,
    sourceNumber: text,
    sourceName: text,
    dataMessage: z.nullish(Message),
    editMessage: z.nullish(z.looseObject({ targetSentTimestamp: timestamp, dataMessage: Message })),
  }),
});
export type SignalEvent = z.infer<typeof SignalEvent>;
