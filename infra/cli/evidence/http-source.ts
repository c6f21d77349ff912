/** The evidence log of a stack, over the console's API. Too large a page is asked for in parts. */
import { defined } from '../../../lib/core/base/defined.ts';
import type { LooseRecord } from '../../../lib/core/log/evidence-records.ts';
import type { LogSource, SignalEvidence } from '../../../lib/core/log/source.ts';
import {
  loadCheckpoints,
  loadCommits,
  loadGateCode,
  loadGateSets,
  loadLogBytes,
  loadLogText,
  loadRecords,
  loadSignalRecords,
  loadStanding,
  type StackAccess,
} from '../client.ts';
import { CliError } from '../terminal.ts';

type Answered = Awaited<ReturnType<typeof loadSignalRecords>>;

const looseRecord = ({ kind, id, fixed, content, isForgotten }: Answered['records'][number]): LooseRecord => ({
  kind,
  id,
  fixed,
  ...defined({ content, isForgotten }),
});

const signalEvidence = ({ id, records, problem }: Answered): SignalEvidence => ({
  id,
  records: records.map(looseRecord),
  ...defined({ problem }),
});

const readRecords = async (access: StackAccess, limit: number, cursor?: string): ReturnType<LogSource['records']> => {
  try {
    const page = await loadRecords(access, limit, cursor);
    return { signals: page.signals.map(signalEvidence), cursor: page.cursor };
  } catch (error) {
    if (!(error instanceof CliError) || limit === 1) throw error;
    return readRecords(access, Math.ceil(limit / 4), cursor);
  }
};

export const buildHttpSource = (access: StackAccess): LogSource => ({
  standing: () => loadStanding(access),
  checkpoints: async (after) => (await loadCheckpoints(access, after)).checkpoints,
  keys: async () => (await loadLogText(access, 'key')).trim().split('\n').reverse(),
  gateSets: async () => (await loadGateSets(access)).gateSets,
  gateCode: (sha256) => loadGateCode(access, sha256),
  tile: (path) => loadLogBytes(access, path),
  records: ({ cursor, limit }) => readRecords(access, limit, cursor),
  signalRecords: async (id) => signalEvidence(await loadSignalRecords(access, id)),
  commits: async (after) => {
    const { records, last, isAll } = await loadCommits(access, after);
    return { records: records.map(looseRecord), last, isAll };
  },
});
