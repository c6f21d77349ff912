/** The console as a channel: its texts are stored, and clients fetch them. */
import { type ConsoleSpeaker, parseConsoleMessage } from '../../../../lib/core/channels/console/parse-message.ts';
import { CHANNELS } from '../../../../lib/core/signal/channels.ts';
import { describeChannel } from '../contract.ts';

const SPEAKERS: Readonly<Record<'owner' | 'stranger', ConsoleSpeaker>> = {
  owner: { kind: 'approver' },
  stranger: { kind: 'script', name: 'report', isOwner: false },
};
const place = { space: 'default', now: 1_790_000_000_000, newId: () => 'a'.repeat(32) };

/** The token of a request says who speaks, and stands beside its body. */
let speaker: ConsoleSpeaker = SPEAKERS.owner;

describeChannel({
  target: 'console',
  traits: CHANNELS.console,
  parse: (update) => parseConsoleMessage(update, { ...place, speaker }),
  said: (text, by, n = 1) => {
    speaker = SPEAKERS[by];
    return { text, idempotencyKey: String(n) };
  },
});
