/** Slack as a channel, against the server that keeps to Slack's documents. */
import { CHANNELS } from '../../../lib/core/signal/channels.ts';
import { openSlackSender } from '../../../lib/features/slack/deliver.ts';
import { numberOf } from '../../../lib/features/slack/ids.ts';
import { DECIDE, findPermission, parseSlackPayload } from '../../../lib/features/slack/parse-payload.ts';
import { describeChannel, type FarEnd } from '../../core/channels/contract.ts';
import { memoryTable } from './memory-table.ts';
import { BOT_TOKEN, buttonsOf, startSlackServer, TEAM, wordsOf } from './slack-server.ts';

const [OWNER, MEMBER] = ['U0FOGG', 'U0FIX'];
const CLUB = 'C0REFORM';
const config = {
  space: 'default',
  paired: new Set([`${TEAM}-${OWNER}`, `${TEAM}-${CLUB}`]),
  now: 1_790_000_000_000,
};

const shape = await startSlackServer();
const said = (words: string, by: 'owner' | 'stranger', n = 1) => {
  const [place, user] = by === 'owner' ? [shape.directOf(OWNER), OWNER] : [CLUB, MEMBER];
  return {
    ...shape.messageOf(place, user, words, { ts: `1790000000.00000${n}` }),
    event_id: `Ev0${n}`,
  };
};
await shape.close();

const open = async (): Promise<FarEnd> => {
  const server = await startSlackServer();
  const nothing = async () => undefined;
  const ways = { table: memoryTable(), space: 'default', loadFile: nothing, loadCard: nothing };
  return {
    sender: openSlackSender({ token: BOT_TOKEN, apiRoot: server.apiRoot }, ways),
    target: 'slack',
    to: `${TEAM}-${OWNER}`,
    shown: () =>
      server.sent().map((message) => ({
        id: numberOf(message.ts),
        text: wordsOf(message.blocks),
        buttons: buttonsOf(message.blocks).map(({ words, action }) => ({
          words,
          // A yes counts from the modal that the tap opens.
          tap: () => {
            const tap = server.tapOf(message, action, OWNER);
            const permission = findPermission(tap, config);
            if (permission === undefined) return tap;
            const view = { callback_id: DECIDE, private_metadata: JSON.stringify(permission.modal) };
            return server.submissionOf({ id: 'V0MODAL', user: OWNER, view });
          },
        })),
      })),
    addFile: (bytes) => server.addFile(bytes),
    loseNextAnswer: () => server.failNext('chat.postMessage', 'lost-answer'),
    refuseNext: (retryAfterS) => server.failNext('chat.postMessage', { retryAfterS }),
    close: () => server.close(),
  };
};

describeChannel({
  target: 'slack',
  traits: CHANNELS.slack,
  parse: (payload) => parseSlackPayload(payload, config),
  said,
  open,
});
