/** Slack as a channel. A place is a workspace, with a person (a direct message) or channel. */
import type { Channel } from '../../core/signal/channels.ts';

export const slackChannel: Channel = {
  to: /^T[A-Z0-9]{1,13}-[CGUW][A-Z0-9]{1,13}$/,
  name: 'Slack',
  words: 'the Slack conversation',
  wordsInGerman: 'das Slack-Gespräch',
  example: 'slack:T012AB3CD-U012AB3CD',
  speaker: 'member',
  sendsMessages: true,
  isGroup: (to) => /-[CG]/.test(to),
  hasTopics: true,
  tokenSetting: 'SLACK_BOT_TOKEN',
};
