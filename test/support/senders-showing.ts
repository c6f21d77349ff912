/** The ways out of a Telegram chat in which nothing but drafts is seen. */
import type { Sender, Senders } from '../../lib/core/channels/channel.ts';

const SENDS_NOTHING: Sender['actuator'] = {
  kind: 'once',
  deliver: async () => ({ state: 'failed', reason: 'only drafts are shown here' }),
};

export const sendersShowing = (sendDraft: Sender['sendDraft'] | undefined): Senders =>
  sendDraft === undefined
    ? new Map()
    : new Map([['telegram', async () => ({ actuator: SENDS_NOTHING, sendDraft, sendTyping: async () => undefined })]]);
