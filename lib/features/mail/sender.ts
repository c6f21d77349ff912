/** The way out by e-mail, loaded with its first message. */
import { defined } from '../../core/base/defined.ts';
import type { BuildSender } from '../../core/channels/channel.ts';

export const mailSender: BuildSender = ({ env, secrets, table, loadFile, loadCard }) => {
  const { MAIL_ADDRESS: address, MAIL_SMTP: smtp, MAIL_IMAP: imap, MAIL_SERVED: served, SPACE: space } = env;
  const password = secrets.get('MAIL_PASSWORD');
  if (address === undefined || smtp === undefined || password === undefined) return undefined;
  return async () => {
    const { openMailSender } = await import('./deliver.ts');
    const settings = { address, smtp, password, served, space, table, loadFile, loadCard };
    return openMailSender({ ...settings, ...defined({ imap, page: env.CONSOLE_URL }) });
  };
};
