/** The log of this server, over the same requests as the command line's. */
import { buildHttpSource } from '../../../../core/log/http-source.ts';
import type { LogSource } from '../../../../core/log/source.ts';

class Refused extends Error {
  readonly status: number;
  constructor(status: number, message = `the server answered ${status}`) {
    super(message);
    this.status = status;
  }
}

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
    throw new Refused(response.status, error?.message);
  };
  const source = buildHttpSource({
    json: async (_, path) => (await insist(path)).json(),
    bytes: async (path) => {
      const response = await ask(path);
      return response.ok ? new Uint8Array(await response.arrayBuffer()) : undefined;
    },
    keys: async () => (await insist('/key')).text(),
    mayBeTooMuch: (error) => error instanceof Refused && error.status === 413,
  });
  return { ...source, wake: async () => void (await ask('', 'POST')) };
};
