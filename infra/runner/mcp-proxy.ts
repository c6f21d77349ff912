/**
 * The only way out of the sandbox of a server: a proxy on a socket of its own, which connects to
 * the hosts that `runner.yaml` names for this server, and to no other (RFC 9110, CONNECT).
 */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Of https. */
const USUAL_PORT = 443;

const isNamed = (hosts: readonly string[], host: string, port: number): boolean =>
  hosts.includes(`${host}:${port}`) || (port === USUAL_PORT && hosts.includes(host));

export interface Proxy {
  readonly socket: string;
  readonly close: () => void;
}

export const startProxy = async (hosts: readonly string[]): Promise<Proxy> => {
  // Paths of sockets are short by the kernel's rule.
  const folder = mkdtempSync(join(tmpdir(), 'passepartout-'));
  const socket = join(folder, 'proxy');
  const server = createServer((_, response) => response.writeHead(405).end());
  server.on('connect', ({ url = '' }, client, head) => {
    const target = URL.parse(`https://${url}`);
    const host = target?.hostname ?? '';
    const port = Number(target?.port || USUAL_PORT);
    if (!isNamed(hosts, host, port)) return client.end('HTTP/1.1 403 Forbidden\r\n\r\n');
    const there = connect(port, host);
    const end = (): void => {
      client.destroy();
      there.destroy();
    };
    client.on('error', end).once('close', end);
    there
      .on('error', end)
      .once('close', end)
      .once('connect', () => {
        client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
        there.write(head);
        client.pipe(there).pipe(client);
      });
  });
  server.listen(socket);
  await once(server, 'listening');
  const close = (): void => {
    server.close();
    server.closeAllConnections();
    rmSync(folder, { recursive: true, force: true });
  };
  return { socket, close };
};
