/** The ways out of features' channels. `channels/senders.ts` alone imports this list. */
import type { BuildSender } from '../core/channels/channel.ts';
import { mailSender } from './mail/sender.ts';
import { signalSender } from './signal/sender.ts';
import { slackSender } from './slack/sender.ts';
import { telegramSender } from './telegram/sender.ts';

export const FEATURE_SENDERS: Readonly<Record<string, BuildSender>> = {
  telegram: telegramSender,
  slack: slackSender,
  signal: signalSender,
  mail: mailSender,
};
