/**
 * The evidence log of a stack as an export reads it: over the console's API. Pages that are too
 * large are asked for in halves.
 */
import { defined } from '../../../lib/base/defined.ts';
import type { LooseRecord } from '../../../lib/log/records.ts';
import type { LogSource, SignalEvidence } from '../../../lib/log/source.ts';
import type { Client } from '../client.ts';
import { CliError } from '../exit-codes.ts';

type Answered = Awaited<ReturnType<Client['logCommits']>>['records'][number];

const loose = ({ kind, id, fixed, content, isForgotten }: Answered): LooseRecord => ({
  kind,
  id,
  fixed,
  ...defined({ content, isForgotten }),
});

const evidenceOf = (answer: Awaited<ReturnType<Client['logSignal']>>): SignalEvidence => ({
  id: answer.id,
  records: answer.records.map(loose),
  ...defined({ problem: answer.problem }),
});

export const buildHttpSource = (client: Client): LogSource => {
  const askRecords: LogSource['records'] = async ({ cursor, limit }) => {
    try {
      const page = await client.logRecords(limit, cursor);
      return { signals: page.signals.map(evidenceOf), cursor: page.cursor };
    } catch (error) {
      if (!(error instanceof CliError) || limit === 1) throw error;
      return askRecords({ cursor, limit: Math.ceil(limit / 4) });
    }
  };
  return {
    standing: client.logStanding,
    checkpoints: async (after) => (await client.logCheckpoints(after)).checkpoints,
    keys: async () => (await client.logText('key')).trim().split('\n').reverse(),
    gateSets: async () => (await client.logGateSets()).gateSets,
    tile: (path) => client.logBytes(path),
    records: askRecords,
    signalRecords: async (id) => evidenceOf(await client.logSignal(id)),
    commits: async (after) => {
      const { records, last, isAll } = await client.logCommits(after);
      return { records: records.map(loose), last, isAll };
    },
  };
};
