/** The way out to Signal, loaded with its first message. */
import type { BuildSender } from '../../core/channels/channel.ts';

export const signalSender: BuildSender = ({ env, table, noteOwn, loadFile, loadCard }) => {
  const { SIGNAL_URL: url, SPACE: space, CONSOLE_URL: page } = env;
  if (url === undefined) return undefined;
  return async () => {
    const { openSignalSender } = await import('./deliver.ts');
    return openSignalSender(url, { table, noteOwn, loadFile, loadCard, space, page });
  };
};
