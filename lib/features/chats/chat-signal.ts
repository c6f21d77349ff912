/** The signal of something that a person did in a chat. Pure. */
import { type ChannelId, chatOf, chatSession } from '../../core/signal/channels.ts';
import {
  type Payload,
  type ReplyRoute,
  type Sender,
  SIGNAL_SCHEMA_VERSION,
  type Signal,
} from '../../core/signal/signal.ts';

/** Names the piece of a message that holds reactions. */
export const REACTION = 'reaction';

export interface ChatSignalParts {
  readonly channel: ChannelId;
  /** The same for each repeat of one update. */
  readonly id: string;
  readonly space: string;
  readonly place: Pick<ReplyRoute, 'to' | 'topic'>;
  readonly sender: Sender;
  readonly receivedAt: number;
  readonly payload: Payload;
}

export const buildChatSignal = ({
  channel: source,
  id,
  space,
  place,
  sender,
  receivedAt,
  payload,
}: ChatSignalParts): Signal => ({
  schemaVersion: SIGNAL_SCHEMA_VERSION,
  id,
  type: payload.sensor === 'chat-message' ? 'EVENT' : 'REQUEST',
  source,
  space,
  session: chatSession(chatOf({ target: source, to: place.to }), place.topic),
  root: id,
  depth: 0,
  receivedAt,
  sender,
  reply: { target: source, ...place },
  payload,
});
