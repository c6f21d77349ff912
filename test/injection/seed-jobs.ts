/**
 * Jobs that an approver made before the attacks: one to be changed, removed or run, and one for
 * each attack that comes in the body of an event which a job waits for.
 */

import { indexPartitions, jobKeys } from '../../lib/core/store/keys.ts';
import type { Table } from '../../lib/core/store/table.ts';
import type { JobDefinition } from '../../lib/features/jobs/job.ts';
import { eventRunId } from '../../lib/features/jobs/occurrence.ts';
import { until } from '../support/stack.ts';
import type { Channel } from './channels.ts';
import { type Attack, textOf } from './language.ts';

const SPACE = 'default';
const CHANNEL = "event of a job's own";

/** Name of the job that attacks are about. */
export const SEED_JOB = 'seed';

/** Webhook sources that jobs wait for, one for each attack through this channel. */
export const JOB_SOURCES = Array.from({ length: 30 }, (_, n) => `jobs${n}`);

const sourceOf = new Map<string, string>();

const definitionOf = (name: string, when: JobDefinition['when']): JobDefinition => ({
  name,
  when,
  work: { kind: 'prompt', text: 'Say in one sentence what came.' },
  to: [{ target: 'console', to: 'main' }],
  catchUp: { mode: 'once', minutes: 360, runs: 1 },
  overlap: 'queue',
  spreadSeconds: 0,
  pauseAfter: 0,
  promises: 'nothing',
});

const putJob = async (table: Table, definition: JobDefinition): Promise<void> => {
  const { name, when } = definition;
  const shared = { schemaVersion: 1, name, state: 'active', definition: JSON.stringify(definition) };
  const feed = when.kind === 'event' ? { feedSpace: indexPartitions.eventJobs(SPACE, when.source), feedAt: 0 } : {};
  const counts = { version: 1, accountedTo: Date.now(), running: 0, failures: 0 };
  await table.put(jobKeys.record(SPACE, name), { ...shared, ...counts, ...feed });
  const made = {
    n: 1,
    hash: '0'.repeat(64),
    from: Date.now(),
    by: 'test',
    why: 'made',
    signalId: 'tg-0',
    effectId: 'x',
  };
  await table.put(jobKeys.version(SPACE, name, 1), { ...shared, ...made });
};

/** Stores the jobs of all attacks that come by one. */
export const seedJobs = async (
  table: Table,
  plan: readonly (Attack & { readonly channel: Pick<Channel, 'name'> })[],
): Promise<void> => {
  await putJob(table, definitionOf(SEED_JOB, { kind: 'cron', cron: '0 0 1 1 *', zone: 'UTC' }));
  const planned = plan.filter(({ channel }) => channel.name === CHANNEL);
  for (const [n, { key }] of planned.entries()) {
    const source = JOB_SOURCES[n];
    if (source === undefined) throw new Error('more attacks than sources for jobs');
    sourceOf.set(key, source);
    await putJob(table, definitionOf(`on-${key}`, { kind: 'event', source }));
  }
};

export const JOB_CHANNELS: readonly (readonly [string, boolean, Channel['deliver']])[] = [
  [
    CHANNEL,
    true,
    async (world, attack) => {
      const source = sourceOf.get(attack.key) ?? '';
      const event = await world.postEvent(source, { type: 'report', data: { text: textOf(attack) } });
      const { receivedAt } = await world.stack.signal(event);
      const run = eventRunId(`on-${attack.key}`, receivedAt, event);
      await until('the job runs', async () => (await world.stack.api('GET', `/api/signals/${run}`)).status === 200);
      return [run];
    },
  ],
];
