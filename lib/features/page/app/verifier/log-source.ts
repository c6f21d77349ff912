/** The log of this server, over the same requests as the command line's. */
import type { LogSource } from '../../../../core/log/source.ts';

type Answers = { readonly [Name in keyof LogSource]: Awaited<ReturnType<LogSource[Name]>> };

const query = (values: Readonly<Record<string, string | number | undefined>>): string =>
  new URLSearchParams(
    Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  ).toString();

export const buildLogSource = (token: string): LogSource & { readonly wake: () => Promise<void> } => {
  const ask = (path: string, method = 'GET'): Promise<Response> =>
    fetch(`/api/log${path}`, {
      ...{ method, cache: 'no-store', credentials: 'omit' },
      headers: { authorization: `Bearer ${token}` },
    });
  const insist = async (path: string): Promise<Response> => {
    const response = await ask(path);
    if (response.ok) return response;
    const { error } = await response.json().catch(() => ({}));
    throw new Error(error?.message ?? `the server answered ${response.status}`);
  };
  const get = async <T>(path: string): Promise<T> => (await insist(path)).json();
  const readRecords: LogSource['records'] = async ({ cursor, limit }) => {
    const response = await ask(`/records?${query({ cursor, limit })}`);
    // Too much for one answer.
    if (response.status === 413 && limit > 1) return readRecords({ cursor, limit: Math.ceil(limit / 4) });
    return response.ok ? response.json() : get(`/records?${query({ cursor, limit })}`);
  };
  return {
    wake: async () => void (await ask('', 'POST')),
    standing: () => get(''),
    checkpoints: async (after) =>
      (await get<{ checkpoints: Answers['checkpoints'] }>(`/checkpoints?${query({ after })}`)).checkpoints,
    keys: async () => (await (await insist('/key')).text()).trim().split('\n').reverse(),
    gateSets: async () => (await get<{ gateSets: Answers['gateSets'] }>('/gate-sets')).gateSets,
    gateCode: async (sha256) => {
      const response = await ask(`/gate-code/${sha256}`);
      return response.ok ? response.text() : undefined;
    },
    tile: async (path) => {
      const response = await ask(`/${path}`);
      return response.ok ? new Uint8Array(await response.arrayBuffer()) : undefined;
    },
    records: readRecords,
    signalRecords: (id) => get(`/records/${id}`),
    commits: (after) => get(`/commits?${query({ after })}`),
  };
};
