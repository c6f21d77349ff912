/**
 * The evidence log of a stack over its console's API, for the command line and the page's verifier.
 * Too large a page of records is asked for in parts.
 */
import type { LogSource } from './source.ts';

/** The answers that are JSON, by the part of the log. */
export interface LogAnswers {
  readonly standing: Awaited<ReturnType<LogSource['standing']>>;
  readonly checkpoints: { readonly checkpoints: Awaited<ReturnType<LogSource['checkpoints']>> };
  readonly gateSets: { readonly gateSets: Awaited<ReturnType<LogSource['gateSets']>> };
  readonly records: Awaited<ReturnType<LogSource['records']>>;
  readonly signalRecords: Awaited<ReturnType<LogSource['signalRecords']>>;
  readonly commits: Awaited<ReturnType<LogSource['commits']>>;
}

/** Requests to `/api/log<path>`; each throws if the answer is a failure. */
export interface LogRequests {
  readonly json: <Name extends keyof LogAnswers>(name: Name, path: string) => Promise<LogAnswers[Name]>;
  /** Undefined if the log has no such part. */
  readonly bytes: (path: string) => Promise<Uint8Array | undefined>;
  readonly keys: () => Promise<string>;
  readonly mayBeTooMuch: (error: unknown) => boolean;
}

export const buildHttpSource = ({ json, bytes, keys, mayBeTooMuch }: LogRequests): LogSource => {
  const records: LogSource['records'] = async ({ cursor, limit }) => {
    const from = cursor === undefined ? '' : `cursor=${encodeURIComponent(cursor)}&`;
    try {
      return await json('records', `/records?${from}limit=${limit}`);
    } catch (error) {
      if (limit === 1 || !mayBeTooMuch(error)) throw error;
      return records({ cursor, limit: Math.ceil(limit / 4) });
    }
  };
  return {
    standing: () => json('standing', ''),
    checkpoints: async (after) => (await json('checkpoints', `/checkpoints?after=${after}`)).checkpoints,
    keys: async () => (await keys()).trim().split('\n').reverse(),
    gateSets: async () => (await json('gateSets', '/gate-sets')).gateSets,
    gateCode: async (sha256) => {
      const code = await bytes(`/gate-code/${sha256}`);
      return code && new TextDecoder().decode(code);
    },
    tile: (path) => bytes(`/${path}`),
    records,
    signalRecords: (id) => json('signalRecords', `/records/${id.split('/').map(encodeURIComponent).join('/')}`),
    commits: (after) => json('commits', `/commits?after=${after}`),
  };
};
