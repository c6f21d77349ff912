/**
 * What a message holds besides text, by the field Telegram puts it in. A kind of content we cannot read is described, so
 * that the person gets an answer and nothing is lost; a service message is nobody's message and is left alone; a field
 * in neither list is content of a kind that is newer than this table. Pure.
 */
import type { TelegramMessage } from './telegram-schema.ts';

/** Field → what a person would call it. Earlier ones win: an animation also comes as a document, a venue as a location. */
const ATTACHMENTS = {
  animation: 'an animation',
  live_photo: 'a live photo',
  photo: 'a photo',
  voice: 'a voice message',
  video_note: 'a video message',
  video: 'a video',
  audio: 'an audio file',
  document: 'a file',
  sticker: 'a sticker',
  venue: 'a place',
  location: 'a location',
  contact: 'a contact',
  poll: 'a poll',
  checklist: 'a checklist',
  dice: 'a dice',
  game: 'a game',
  story: 'a story',
  paid_media: 'paid media',
  rich_message: 'a richly formatted message',
  invoice: 'an invoice',
} as const satisfies Record<string, string>;

/** What Telegram writes into a chat by itself. */
const SERVICE_FIELDS: readonly string[] = [
  'new_chat_members',
  'left_chat_member',
  'new_chat_title',
  'new_chat_photo',
  'delete_chat_photo',
  'group_chat_created',
  'supergroup_chat_created',
  'channel_chat_created',
  'message_auto_delete_timer_changed',
  'migrate_to_chat_id',
  'migrate_from_chat_id',
  'pinned_message',
  'successful_payment',
  'refunded_payment',
  'users_shared',
  'chat_shared',
  'connected_website',
  'write_access_allowed',
  'passport_data',
  'proximity_alert_triggered',
  'boost_added',
  'chat_background_set',
  'chat_owner_left',
  'chat_owner_changed',
  'checklist_tasks_done',
  'checklist_tasks_added',
  'community_chat_joined',
  'community_chat_added',
  'community_chat_removed',
  'direct_message_price_changed',
  'paid_message_price_changed',
  'forum_topic_created',
  'forum_topic_edited',
  'forum_topic_closed',
  'forum_topic_reopened',
  'general_forum_topic_hidden',
  'general_forum_topic_unhidden',
  'gift',
  'gift_upgrade_sent',
  'unique_gift',
  'giveaway',
  'giveaway_created',
  'giveaway_winners',
  'giveaway_completed',
  'managed_bot_created',
  'poll_option_added',
  'poll_option_deleted',
  'suggested_post_info',
  'suggested_post_approved',
  'suggested_post_approval_failed',
  'suggested_post_declined',
  'suggested_post_paid',
  'suggested_post_refunded',
  'video_chat_scheduled',
  'video_chat_started',
  'video_chat_ended',
  'video_chat_participants_invited',
  'web_app_data',
];

/** The name of the service message, or undefined for a person's message. */
export const serviceKind = (message: TelegramMessage): string | undefined =>
  SERVICE_FIELDS.find((field) => message[field] !== undefined);

/** What came beside the text, in words of ours; undefined where there is only text. */
export const describeAttachment = (message: TelegramMessage): string | undefined => {
  const found = Object.entries(ATTACHMENTS).find(([field]) => message[field] !== undefined);
  if (found !== undefined) return `[${found[1]}: it cannot be read yet]`;
  const hasText = (message.text ?? message.caption ?? '').trim() !== '';
  return hasText ? undefined : '[content of an unknown kind: it cannot be read yet]';
};

export const fileNameOf = (message: TelegramMessage): string | undefined =>
  [message.animation, message.document, message.audio, message.video].find((file) => file?.file_name !== undefined)
    ?.file_name;
