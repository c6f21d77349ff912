/**
 * Nothing is served from an older copy of the database before what was forgotten since is erased from it: the heartbeat has found it
 * out by the anchors beside it, Act erases, and this waits, ticking meanwhile. Where it cannot be done in time the copy is held,
 * and says so wherever it is asked.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { SECOND_MS } from '../../lib/base/limits.ts';
import { describeForgetting, isForgetting, loadRestoreState } from '../../lib/log/restore-state.ts';
import { embeddedDynamoClient } from '../../lib/store/clients.ts';
import { buildTable } from '../../lib/store/table.ts';
import type { TableAccess } from './dynamo-call.ts';

/** How long a start on this machine waits for an older copy to be brought up to what was forgotten; then it is held, and says so. */
const LOCAL_RESTORE_WAIT_MS = 30 * SECOND_MS;
const LOCAL_RESTORE_POLL_MS = 200;

export interface AwaitForgottenInput {
  readonly access: TableAccess;
  readonly region: string;
  readonly tableName: string;
  readonly space: string;
  readonly tick: () => Promise<unknown>;
  readonly log: (line: string) => void;
}

export const awaitForgotten = async (input: AwaitForgottenInput): Promise<void> => {
  const { access, region, tableName, space, tick, log } = input;
  const client = embeddedDynamoClient(access.endpoint, region, access.credentials);
  try {
    const table = buildTable(client, tableName);
    const deadline = performance.now() + LOCAL_RESTORE_WAIT_MS;
    for (let ticks = 0; ; ticks += 1) {
      const state = await loadRestoreState(table, space);
      if (state === undefined || !isForgetting(state)) {
        if (ticks > 0) log(`the table is an older copy: ${state?.total ?? 0} forgotten objects were forgotten again`);
        return;
      }
      if (performance.now() > deadline) return log(describeForgetting(state));
      await tick().catch((error: unknown) => log(`forgetting again: ${String(error).slice(0, 500)}`));
      await sleep(LOCAL_RESTORE_POLL_MS);
    }
  } finally {
    client.destroy();
  }
};
