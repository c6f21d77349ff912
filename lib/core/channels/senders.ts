/** The ways out of the channels that send messages, as far as their settings are there. */
import { defined } from '../base/defined.ts';
import type { ChannelId } from '../signal/channels.ts';
import type { Secrets } from '../store/secrets.ts';
import type { Environment } from '../store/settings.ts';
import type { LoadCard, LoadFile, LoadSender, NoteName, NoteOwn, SayAloud, Senders } from './channel.ts';

export interface SenderParts {
  readonly env: Environment<'act'>;
  readonly secrets: Secrets;
  readonly noteOwn: NoteOwn;
  readonly sayAloud: SayAloud;
  readonly loadFile: LoadFile;
  readonly loadCard: LoadCard;
  readonly noteName: NoteName;
}

const telegram = ({ env, secrets, noteOwn, ...ways }: SenderParts): LoadSender | undefined => {
  const token = secrets.get('TELEGRAM_BOT_TOKEN');
  if (token === undefined) return undefined;
  return async () => {
    const { openTelegramSender } = await import('./telegram/deliver.ts');
    return openTelegramSender({ token, apiRoot: env.TELEGRAM_API_ROOT }, noteOwn, {
      ...ways,
      ...defined({ page: env.CONSOLE_URL }),
    });
  };
};

export const buildSenders = (parts: SenderParts): Senders => {
  const rows: Readonly<Record<ChannelId, LoadSender | undefined>> = {
    telegram: telegram(parts),
    // Its texts are stored, and clients fetch them.
    console: undefined,
  };
  return new Map(Object.entries(rows).flatMap(([id, load]) => (load === undefined ? [] : [[id, load] as const])));
};
