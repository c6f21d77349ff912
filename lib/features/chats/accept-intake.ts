/**
 * Stores what a chat's door has parsed: a stop at once, a code once, a reaction for the next
 * message, and any other signal within its sender's quota (I6).
 */
import { HOUR_MS } from '../../core/base/limits.ts';
import type { Intake } from '../../core/channels/channel.ts';
import { type AdmitDeps, admitSignal } from '../../core/ledger/accept.ts';
import { setKillSwitch } from '../../core/ledger/kill-switch.ts';
import { clearReactions, noteReaction } from '../../core/ledger/reactions.ts';
import { loadHead, stopSession } from '../../core/ledger/session-controls.ts';
import { type ChannelId, chatOf } from '../../core/signal/channels.ts';
import type { Signal } from '../../core/signal/signal.ts';
import type { Table } from '../../core/store/table.ts';
import { countWords } from '../../core/text/quoted.ts';
import { REACTION } from './chat-signal.ts';
import { answerUnpaired, endShownCode } from './pairing.ts';
import { sayWhy } from './say-why.ts';

export interface ChatDeps extends AdmitDeps {
  readonly table: Pick<Table, 'put' | 'update' | 'load' | 'transact'>;
  readonly channel: ChannelId;
  readonly config: { readonly space: string };
  readonly now: number;
}

/** An approver stops the space; anybody else only the conversation the STOP was said in. */
const stop = async ({ table }: ChatDeps, signal: Signal): Promise<void> => {
  const { space, id: by, sender, receivedAt: at } = signal;
  if (sender.isApprover) await setKillSwitch(table, space, { isStopped: true, by: sender.id, at });
  else await stopSession(table, signal, await loadHead(table, signal), { because: 'asked', by }, at);
};

const hoursUntil = (at: number, now: number): string => countWords(Math.ceil((at - now) / HOUR_MS), 'hour');

const hasReactions = ({ payload }: Signal): boolean =>
  payload.sensor === 'chat-message' && payload.text.some(({ label }) => label === REACTION);

/** @throws UnavailableError if it could not be stored */
export const acceptIntake = async (deps: ChatDeps, intake: Intake): Promise<Intake> => {
  const { table, channel, config, now } = deps;
  if (intake.kind === 'ignored') {
    if (intake.reaction !== undefined) await noteReaction(table, config.space, intake.reaction, now);
    return intake;
  }
  if (intake.kind === 'unpaired') {
    await answerUnpaired(deps, intake);
    return intake;
  }
  if (intake.kind === 'asks-why')
    return { kind: 'ignored', reason: 'a look at why', say: await sayWhy(table, { channel, ...config }, intake) };
  const { signal, number } = intake;
  if (signal.payload.sensor === 'interrupt') await stop(deps, signal);
  await endShownCode(deps, signal);
  const admitted = await admitSignal(deps, signal, number);
  if (typeof admitted !== 'object') {
    if (hasReactions(signal)) await clearReactions(table, config.space, chatOf(signal.reply), now);
    return intake;
  }
  return {
    kind: 'ignored',
    reason: `the ${admitted.account.kind} is over its quota`,
    // A channel shows a moment in such an answer on nobody's clock.
    say: `All ${admitted.limit} messages and taps of today are used up. Nothing was done; try again in ${hoursUntil(admitted.resetsAt, signal.receivedAt)}.`,
  };
};
