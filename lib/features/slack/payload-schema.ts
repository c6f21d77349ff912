/**
 * The parts of Slack's payloads that are read: https://docs.slack.dev/apis/events-api and
 * https://docs.slack.dev/reference/interaction-payloads. Slack's signature vouches for all ids.
 */
import * as z from 'zod/mini';
import { SlackId, SlackTs } from './ids.ts';

const flag = z.optional(z.nullable(z.boolean()));
const word = z.optional(z.nullable(z.string()));

export const Challenge = z.looseObject({
  type: z.literal('url_verification'),
  challenge: z.string().check(z.maxLength(256)),
});

export const SlackEvent = z.looseObject({
  type: z.literal('event_callback'),
  /** The workspace that has the app. */
  team_id: SlackId,
  event_id: z.string().check(z.regex(/^Ev[A-Za-z0-9]{1,40}$/)),
  is_ext_shared_channel: flag,
  authorizations: z._default(z.array(z.looseObject({ user_id: word, is_bot: flag, is_enterprise_install: flag })), []),
  event: z.looseObject({ type: z.string() }),
});
export type SlackEvent = z.infer<typeof SlackEvent>;

export type SlackFile = z.infer<typeof SlackFile>;
export const SlackFile = z.looseObject({
  id: SlackId,
  name: word,
  mimetype: word,
  /** `slack_audio` is a recording that was made in Slack. */
  subtype: word,
  user: word,
  size: z.optional(z.number()),
  duration_ms: z.optional(z.number()),
});

/** A message in a forward, or the preview of a link. */
const Attached = z.looseObject({ text: word, fallback: word, is_share: flag, is_msg_unfurl: flag, author_name: word });

export const SlackMessage = z.looseObject({
  channel: SlackId,
  channel_type: word,
  user: SlackId,
  text: z._default(z.string(), ''),
  ts: SlackTs,
  thread_ts: z.optional(SlackTs),
  subtype: word,
  bot_id: word,
  app_id: word,
  edited: z.optional(z.unknown()),
  /** The workspace of the person who wrote it, whichever of them Slack gives. */
  team: word,
  user_team: word,
  source_team: word,
  files: z._default(z.array(z.unknown()), []),
  attachments: z._default(z.array(Attached), []),
});
export type SlackMessage = z.infer<typeof SlackMessage>;

export const SlackEdit = z.looseObject({
  subtype: z.literal('message_changed'),
  channel: SlackId,
  channel_type: word,
  message: z.looseObject({}),
});

export const SlackReaction = z.looseObject({
  user: SlackId,
  reaction: z.string().check(z.regex(/^[a-z0-9_+:'-]{1,100}$/)),
  item: z.looseObject({ type: z.literal('message'), channel: SlackId, ts: SlackTs }),
});

export const HomeOpened = z.looseObject({ type: z.literal('app_home_opened'), user: SlackId, tab: z.literal('home') });

const Person = z.looseObject({ id: SlackId, team_id: SlackId });

export const SlackTap = z.looseObject({
  type: z.literal('block_actions'),
  team: z.looseObject({ id: SlackId }),
  user: Person,
  channel: z.looseObject({ id: SlackId }),
  message: z.looseObject({ ts: SlackTs, thread_ts: z.optional(SlackTs) }),
  trigger_id: z.string().check(z.maxLength(256)),
  actions: z
    .array(z.looseObject({ value: z.optional(z.string()), action_ts: SlackTs }))
    .check(z.minLength(1), z.maxLength(1)),
});
export type SlackTap = z.infer<typeof SlackTap>;

export const SlackSubmission = z.looseObject({
  type: z.literal('view_submission'),
  team: z.looseObject({ id: SlackId }),
  user: Person,
  view: z.looseObject({ id: SlackId, callback_id: z.string(), private_metadata: z.string() }),
});
export type SlackSubmission = z.infer<typeof SlackSubmission>;
