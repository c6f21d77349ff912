/**
 * Shows the beginning of an answer in a chat while the model still writes it. Shows the
 * newest stored prefix whose chunks fit their hashes and traces under this release's gates, while
 * nothing is decided and nothing is stopped, less whatever may yet become a secret that only Act
 * knows. Best effort: it claims and settles nothing and never fails, and the decided reply takes
 * the draft's place.
 */

import { createHash } from 'node:crypto';
import { findConfiguredSecrets } from '../gates/rules/find-secrets.ts';
import { buildHoldBack } from '../gates/rules/hold-back.ts';
import { isStoppedFor, loadKillSwitch } from '../ledger/kill-switch.ts';
import { parseRecord } from '../ledger/ledger.ts';
import { replyAction } from '../signal/action.ts';
import { readDraft } from '../signal/draft.ts';
import { rootOf } from '../signal/ids.ts';
import type { DraftMessage } from '../signal/messages.ts';
import { signalKeys } from '../store/keys.ts';
import type { Table } from '../store/table.ts';
import type { Senders } from './channel.ts';

export interface ShowDraftDeps {
  readonly table: Pick<Table, 'load' | 'query'>;
  readonly senders: Senders;
  readonly secrets: ReadonlyMap<string, string>;
  /** Whether a gate set judges now. */
  readonly isInForce: (gateSet: string) => Promise<boolean>;
}

/** Not zero, and one for all drafts of a turn: the next replaces one that ended unsent. */
const draftIdOf = (signalId: string): number =>
  (createHash('sha256').update(rootOf(signalId)).digest().readUInt32BE() % 0x7fff_fffe) + 1;

const show = async (deps: ShowDraftDeps, { space, signalId, n }: DraftMessage): Promise<void> => {
  const { items } = await deps.table.query({ pk: signalKeys.partition(space, signalId), isConsistent: true });
  const item = items.find(({ sk }) => sk === 'record');
  if (item === undefined || items.some(({ sk }) => sk === 'decision')) return;
  const { signal, state } = parseRecord(signalId, item);
  const loadSender = deps.senders.get(signal.reply.target);
  if (state !== 'perceived' || loadSender === undefined) return;
  if (n === undefined) {
    if (isStoppedFor(await loadKillSwitch(deps.table, space), signal.receivedAt)) return;
    return (await loadSender()).sendTyping(signal.reply);
  }
  const drafts = items.filter(({ sk }) => String(sk).startsWith('stream#'));
  const chunks = readDraft(drafts, signal.reply);
  const [first, chunk] = [chunks[0], chunks.at(-1)];
  if (first === undefined || chunk === undefined || !(await deps.isInForce(chunk.gateSet))) return;
  const holdsSecret = findConfiguredSecrets(replyAction(chunk.prefix, signal.reply), deps.secrets).length > 0;
  const text = chunk.prefix.slice(0, buildHoldBack(deps.secrets)(`${chunk.prefix} `));
  if (holdsSecret || text === '') return;
  // An answer that a stop came into is refused, also after a resume.
  if (isStoppedFor(await loadKillSwitch(deps.table, space), first.at)) return;
  await (await loadSender()).sendDraft(signal.reply, draftIdOf(signalId), text);
};

export const showDraft =
  (deps: ShowDraftDeps) =>
  async (message: DraftMessage): Promise<void> => {
    try {
      await show(deps, message);
    } catch {
      // Nobody waits for a draft.
    }
  };
