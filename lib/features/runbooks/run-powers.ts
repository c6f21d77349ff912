/** The powers over runs that Act gives to the tool that starts one. */
import { ProtocolError } from '../../core/base/errors.ts';
import { perceiveMessage } from '../../core/ledger/accept.ts';
import { parseRecord } from '../../core/ledger/ledger.ts';
import type { Run } from '../../core/ledger/run.ts';
import type { PerceiveMessage } from '../../core/signal/messages.ts';
import type { Origin } from '../../core/signal/signal.ts';
import { signalKeys } from '../../core/store/keys.ts';
import { loadItem } from '../../core/store/load-named.ts';
import type { Publish } from '../../core/store/queue.ts';
import type { Table } from '../../core/store/table.ts';
import { beginRun, type NewRun } from './begin-run.ts';

/** The text of a runbook that is known by its name. */
interface NamedRunbook {
  readonly text: string;
  /** SHA-256 of the text. */
  readonly hash: string;
  /** The origin of its author: `outside` for a skill from elsewhere. */
  readonly trust: Extract<Origin, 'owner' | 'outside'>;
}

export type FindRunbook = (name: string) => Promise<NamedRunbook | undefined>;

export interface RunbookSource {
  readonly find: FindRunbook;
  readonly list: () => Promise<
    readonly (Pick<NamedRunbook, 'trust'> & { readonly name: string; readonly description: string })[]
  >;
}

export interface RunbookPowers extends RunbookSource {
  /** Begins a run that answers whoever is answered by the signal. The same id begins only one. */
  readonly begin: (run: Omit<NewRun, 'session' | 'reply'>, signalId: string, now: number) => Promise<Run>;
}

export const buildRunbookPowers = (
  table: Pick<Table, 'load' | 'transact'>,
  space: string,
  publish: Publish<PerceiveMessage>,
  source: RunbookSource,
): RunbookPowers => ({
  ...source,
  begin: async (given, signalId, now) => {
    const item = await loadItem(table, signalKeys.record(space, signalId));
    if (item === undefined) throw new ProtocolError('the message that asked for it is gone');
    const { reply } = parseRecord(signalId, item).signal;
    const session = `run:${given.id.replace(/^run-/, '')}`;
    const run = await beginRun(table, space, { ...given, session, reply }, { isFirst: true }, now);
    await publish(perceiveMessage({ space, session, id: run.id }), 'perceive:0');
    return run;
  },
});
