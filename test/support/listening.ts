/** All that a process and its children listen on, as the system knows it. Linux only. */
import { once } from 'node:events';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { processTree } from '../bench/processes.ts';

export interface Listening {
  /** `0100007F` is 127.0.0.1, as the kernel writes it. */
  readonly tcp: readonly { readonly address: string; readonly port: number }[];
  readonly udp: readonly number[];
  /** Paths of sockets in the file system; `@…` for names without a file. */
  readonly unix: readonly string[];
}

const readInodes = (pid: number): readonly string[] => {
  try {
    return readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
      try {
        return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.slice(1) ?? [];
      } catch {
        return [];
      }
    });
  } catch {
    return [];
  }
};

const rowsOf = (table: string): readonly (readonly string[])[] =>
  readFileSync(`/proc/net/${table}`, 'utf8')
    .split('\n')
    .slice(1)
    .map((line) => line.trim().split(/\s+/));

const LISTENS = '0A';
/** Flag of a UNIX socket that accepts connections. */
const ACCEPTS = '00010000';

export const findListening = (root: number): Listening => {
  const own = new Set(processTree(root).flatMap(readInodes));
  const sockets = (tables: readonly string[], state: (value: string | undefined) => boolean) =>
    tables
      .flatMap(rowsOf)
      .filter((row) => state(row[3]) && own.has(row[9] ?? ''))
      .map(([, local = '']) => {
        const [address = '', port = ''] = local.split(':');
        return { address, port: Number.parseInt(port, 16) };
      });
  return {
    tcp: sockets(['tcp', 'tcp6'], (state) => state === LISTENS),
    udp: sockets(['udp', 'udp6'], () => true).map(({ port }) => port),
    unix: rowsOf('unix')
      .filter(([, , , flags, , , inode]) => flags === ACCEPTS && own.has(inode ?? ''))
      .map((row) => row[7] ?? ''),
  };
};

/** A port that nobody listens on now. */
export const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' && address !== null ? address.port : 0;
};
