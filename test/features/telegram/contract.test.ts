/** Telegram as a channel, against the Bot API server. */

import { CHANNELS } from '../../../lib/core/signal/channels.ts';
import { openTelegramSender } from '../../../lib/features/telegram/deliver.ts';
import { parseTelegramUpdate } from '../../../lib/features/telegram/parse-update.ts';
import { describeChannel, type FarEnd } from '../../core/channels/contract.ts';
import { startBotApiServer } from '../../support/bot-api-server.ts';

const TOKEN = '4242:AAtestTESTtestTESTtestTESTtestTEST';
const OWNER = 1001;
const MEMBER = 2002;
const GROUP = { id: -1_001_234_567_890, type: 'supergroup', title: 'Reform Club' };
const person = (id: number) => ({ id, is_bot: false, first_name: 'A' });
const privateChat = { id: OWNER, type: 'private', first_name: 'A' };

const config = {
  botId: '4242',
  space: 'default',
  allowedChats: new Set([String(OWNER), String(GROUP.id)]),
  pairedChats: new Set<string>(),
  approvers: new Set([String(OWNER)]),
  now: 1_790_000_000_000,
};

const nothing = async () => {
  throw new Error('no action here has a voice or a file');
};
const ways = { sayAloud: nothing, loadFile: nothing, loadCard: nothing, noteName: nothing };

const open = async (): Promise<FarEnd> => {
  const server = await startBotApiServer({ token: TOKEN });
  server.openChat(OWNER);
  const tapOf = (message_id: number, data: string | undefined) => () => ({
    update_id: 9,
    callback_query: { id: 'q', from: person(OWNER), message: { message_id, date: 0, chat: privateChat }, data },
  });
  return {
    sender: openTelegramSender({ token: TOKEN, apiRoot: server.root }, async () => undefined, ways),
    target: 'telegram',
    to: String(OWNER),
    shown: () =>
      server.sent(OWNER).map(({ message_id: id, text = '', reply_markup: markup }) => ({
        id,
        text,
        buttons: (markup?.inline_keyboard ?? []).flat().map((button) => ({
          words: button.text,
          tap: tapOf(id, 'callback_data' in button ? button.callback_data : undefined),
        })),
      })),
    addFile: (bytes) => server.addFile(bytes),
    loseNextAnswer: () => server.failNext('sendMessage', 'lost-answer'),
    refuseNext: (retryAfterS) => server.failNext('sendMessage', { code: 429, retryAfterS }),
    close: () => server.close(),
  };
};

describeChannel({
  target: 'telegram',
  traits: CHANNELS.telegram,
  parse: (update) => parseTelegramUpdate(update, config),
  said: (text, by, n = 1) => ({
    update_id: n,
    message: {
      message_id: n,
      date: 1_790_000_000,
      from: person(by === 'owner' ? OWNER : MEMBER),
      chat: by === 'owner' ? privateChat : GROUP,
      text,
    },
  }),
  open,
});
