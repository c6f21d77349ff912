/** The way out by e-mail, loaded with its first message. */
import type { BuildSender } from '../../core/channels/channel.ts';

export const mailSender: BuildSender = (parts) =>
  parts.env.MAIL_SMTP ? async () => (await import('./deliver.ts')).openSender(parts) : undefined;
