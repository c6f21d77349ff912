/** Signal as a channel, against a daemon of signal-cli. */
import { CHANNELS } from '../../../lib/core/signal/channels.ts';
import { buttonsIn } from '../../../lib/features/signal/buttons-row.ts';
import { groupName } from '../../../lib/features/signal/channel.ts';
import { openSignalSender } from '../../../lib/features/signal/deliver.ts';
import { fileNameOf } from '../../../lib/features/signal/file-name.ts';
import { parseSignalEvent } from '../../../lib/features/signal/parse-event.ts';
import { describeChannel, type FarEnd } from '../../core/channels/contract.ts';
import { ACCOUNT, ACCOUNT_ID, startSignalServer } from '../../support/signal-server.ts';

const OWNER = '11111111-1111-4111-8111-111111111111';
const MEMBER = '22222222-2222-4222-8222-222222222222';
const GROUP = 'Pmpi+EfPWmsxiomLe9Nx2XF9HOE483p6iKiFj65iMwI=';
const NOW = 1_790_000_000_000;

const rows = new Map<string, { data: string; expiresAt: number }>();
const buttonsOf = (message: number) => buttonsIn(rows.get(`buttons#${message}`), NOW);

const config = {
  space: 'default',
  allowedChats: new Set([OWNER, groupName(GROUP)]),
  pairedChats: new Set<string>(),
  approvers: new Set([OWNER]),
  now: NOW,
};

const quoted = (event: unknown): number =>
  (event as { envelope?: { dataMessage?: { quote?: { id: number } } } } | undefined)?.envelope?.dataMessage?.quote
    ?.id ?? 0;

const eventOf = (person: string, timestamp: number, fields: object) => ({
  account: ACCOUNT,
  envelope: {
    sourceUuid: person,
    sourceNumber: null,
    sourceName: 'Ada',
    timestamp,
    dataMessage: { timestamp, ...fields },
  },
});

const open = async (): Promise<FarEnd> => {
  const server = await startSignalServer();
  const put = async (key: { readonly sk: string }, item: object): Promise<void> => {
    rows.set(key.sk, item as { data: string; expiresAt: number });
  };
  const sender = openSignalSender(server.url, {
    ...{ space: 'default', table: { put }, noteOwn: async () => undefined },
    loadFile: async () => undefined,
    loadCard: async () => undefined,
  });
  const tapOf = (id: number, number: number) => () =>
    eventOf(OWNER, NOW + 9, { message: String(number), quote: { id, authorUuid: ACCOUNT_ID, text: 'May I?' } });
  return {
    sender,
    target: 'signal',
    to: OWNER,
    shown: () =>
      server.messages(OWNER).map(({ timestamp: id, message: text }) => ({
        id,
        text,
        buttons: text.includes('\n1 ')
          ? buttonsOf(id).map((_, n) => ({ words: text.split(`\n${n + 1} `)[1] ?? '', tap: tapOf(id, n + 1) }))
          : [],
      })),
    addFile: (bytes) => fileNameOf({ to: OWNER }, server.addFile(bytes)),
    loseNextAnswer: () => server.failNext('is-lost'),
    refuseNext: (waitS) => server.failNext({ waitS }),
    close: () => server.close(),
  };
};

describeChannel({
  target: 'signal',
  traits: CHANNELS.signal,
  parse: (event) => parseSignalEvent(event, { ...config, buttons: buttonsOf(quoted(event)) }),
  said: (message, by, n = 1) =>
    by === 'owner'
      ? eventOf(OWNER, NOW + n, { message })
      : eventOf(MEMBER, NOW + n, { message, groupInfo: { groupId: GROUP, type: 'DELIVER' } }),
  open,
});
