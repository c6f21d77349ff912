/**
 * The person or program that began a turn or typed a command, as the ingress authenticated them.
 * Only the root signal says so: no approval, quote, forward or later message changes it.
 */
import * as z from 'zod/mini';
import { findChannel } from './channels.ts';
import type { Signal } from './signal.ts';

/**
 * - `approver`: may also decide approvals
 * - `owner`: speaks as the owner without an approver's rights: at the console, or by a job or
 *   runbook, whose words an approver approved
 * - `member`: any other person of a served chat, whoever wrote as one without a proof, and an
 *   untrusted script
 * - `system`: a webhook, a schedule, the program itself
 */
export const Asker = z.enum(['approver', 'owner', 'member', 'system']);
export type Asker = z.infer<typeof Asker>;

/** Source of a message in the name of a served person, for which nobody vouches. */
export const UNPROVEN = 'unproven';

export const askerOf = ({ source, sender }: Pick<Signal, 'source' | 'sender'>): Asker => {
  if (sender.isApprover) return 'approver';
  if (source === 'job' || source === 'runbook') return 'owner';
  return ['script', UNPROVEN].includes(source) ? 'member' : (findChannel(source)?.speaker ?? 'system');
};

export const isOwnerSpeaking = (asker: Asker): boolean => asker === 'approver' || asker === 'owner';

/**
 * An approver's word on memory in a chat. `open`: it is read, and answers go out. `ask`: it is
 * read, and an answer made from it asks first. `closed`: it is not read. Private chats and the
 * console are open; a group is closed until an approver names it.
 */
export const ChatMemory = z.enum(['open', 'ask', 'closed']);
export type ChatMemory = z.infer<typeof ChatMemory>;
