/** The settings of Signal. Their meanings are in `infra/setting-meanings.ts`. */
import * as z from 'zod/mini';
import { CommaList, HttpUrl, Text } from '../../core/store/setting-forms.ts';
import type { Setting } from '../../core/store/settings.ts';
import { signalChannel } from './channel.ts';

const Ids = z.pipe(
  z.string().check(
    z.refine((text) => CommaList.parse(text).every((one) => signalChannel.to.test(one)), {
      error: 'must be ids of Signal accounts, or group. and the id of a group, separated by commas',
    }),
  ),
  CommaList,
);

// biome-ignore format: a table
export const SIGNAL_SETTINGS = {
  SIGNAL_URL: { schema: HttpUrl, functions: ['signal', 'act'] },
  SIGNAL_STATE: { schema: Text, default: 'off', functions: ['console'], by: 'derived' },
  SIGNAL_DOOR_SECRET: { schema: Text, isSecret: true, functions: ['signal'], by: 'derived' },
  SIGNAL_ALLOWED_CHATS: { schema: Ids, default: '', isLive: true, functions: ['console', 'perceive', 'signal', 'act'] },
  SIGNAL_APPROVERS: { schema: Ids, default: '', isLive: true, functions: ['console', 'perceive', 'signal', 'act'] },
} as const satisfies Readonly<Record<string, Setting>>;
