/**
 * One server of tools (MCP) at work in a sandbox of its own, spoken with over its standard input
 * and output (MCP, stdio), by the official client. It sees the folders, hosts and secrets that
 * `runner.yaml` names for it, and nothing else. What it writes as errors is shown if it ends.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Client, ReadBuffer, serializeMessage, type Transport } from '@modelcontextprotocol/client';
import * as z from 'zod/mini';
import { ProtocolError } from '../../lib/core/base/errors.ts';
import { parseJson } from '../../lib/core/base/json.ts';
import { SECOND_MS } from '../../lib/core/base/limits.ts';
import { buildClient, MCP_RESPONSE_BYTES_MAX, readNullsAsAbsent } from '../../lib/features/mcp/session.ts';
import { RUNNER_RUN_MS_MAX } from '../../lib/features/runner/order.ts';
import type { Allowed, MachineServer } from './allow-file.ts';
import { masksOf, type Tree } from './folder-tree.ts';
import { startProxy } from './mcp-proxy.ts';
import { readTrees } from './perform.ts';
import { guard } from './run-contained.ts';
import type { RunnerFolder } from './runner-folder.ts';
import type { Confinement, Contained, Sandbox } from './sandbox.ts';

/** Runtimes start within seconds, and a machine may be busy. */
const START_MS_MAX = 30 * SECOND_MS;
/** The longest life of one process, as long as an order's. */
export const SERVER_LIFE_MS = RUNNER_RUN_MS_MAX;
/** Of its own last words about why it ended. */
const COMPLAINT_CHARS = 200;

const PLACE = '/run/passepartout';
const NODE = `${PLACE}/node`;
const BRIDGE = `${PLACE}/mcp-bridge.ts`;
const SOCKET = `${PLACE}/proxy`;
/** In the sandbox, which has a loopback of its own. */
const PROXY_PORT = 8_080;

export interface McpPlace {
  readonly sandbox: Sandbox;
  readonly folder: Pick<RunnerFolder, 'package' | 'secret'>;
  readonly allowed: Allowed;
  /** Folders as they were seen last. */
  readonly trees: Map<string, Tree>;
}

export interface McpProcess {
  readonly client: Client;
  readonly isOver: () => boolean;
  /** Why it ended, in our own words or the server's. */
  readonly why: () => string;
  /** A call begins: it may be answered with so many bytes. */
  readonly begin: () => void;
  readonly end: () => void;
}

const Manifest = z.object({
  version: z.string(),
  bin: z.optional(z.union([z.string(), z.record(z.string(), z.string())])),
});

/** `@scope/name@1.2.3` → its two parts. The version is empty if there is none. */
export const splitSpec = (spec: string): { readonly name: string; readonly version: string } => {
  const at = spec.indexOf('@', 1);
  return at < 0 ? { name: spec, version: '' } : { name: spec.slice(0, at), version: spec.slice(at + 1) };
};

const readManifest = (folder: string): z.infer<typeof Manifest> | undefined => {
  try {
    return parseJson('package.json', readFileSync(join(folder, 'package.json'), 'utf8'), Manifest);
  } catch {
    return undefined;
  }
};

/** The version of the package in a folder; empty if there is none. */
export const findVersion = (folder: string): string => readManifest(folder)?.version ?? '';

/** The program of a package that `mcp add` fetched. @throws ProtocolError if it is not there */
export const programOf = (place: string, spec: string): string => {
  const { name, version } = splitSpec(spec);
  const folder = join(place, 'node_modules', name);
  const manifest = readManifest(folder);
  if (manifest?.version !== version)
    throw new ProtocolError(`${spec} is not on this machine: npx passepartout mcp add fetches it`);
  const { bin = {} } = manifest;
  const usual = name.split('/').at(-1) ?? '';
  const path = typeof bin === 'string' ? bin : (bin[usual] ?? Object.values(bin)[0]);
  if (path === undefined) throw new ProtocolError(`the package ${spec} has no program`);
  return join(folder, path);
};

const OWN_NODE = { from: process.execPath, to: NODE };

const commandOf = ({ name, run }: MachineServer, { folder }: McpPlace) => {
  const [program = '', spec = '', ...args] = run;
  if (program === 'node') return { argv: [NODE, ...run.slice(1)], own: [OWN_NODE] };
  if (program !== 'npx') return { argv: [...run], own: [] };
  const place = folder.package(name);
  return { argv: [NODE, programOf(place, spec), ...args], own: [OWN_NODE, { from: place, to: place }] };
};

const secretsOf = ({ name, secrets }: MachineServer, { folder }: McpPlace): Readonly<Record<string, string>> =>
  Object.fromEntries(
    secrets.map((variable) => {
      const value = folder.secret(name, variable);
      if (value === undefined)
        throw new ProtocolError(
          `its secret ${variable} is not set: npx passepartout runner secret ${name} ${variable}`,
        );
      return [variable, value];
    }),
  );

/** Leads connections through the proxy. Node's own clients obey these variables. */
const BRIDGED = {
  ...Object.fromEntries(
    ['HTTPS_PROXY', 'https_proxy'].map((name) => [name, `http://127.0.0.1:${PROXY_PORT}`] as const),
  ),
  NODE_USE_ENV_PROXY: '1',
};

/** The framing of MCP over stdio, on the pipes of a sandbox. */
const buildTransport = ({ stdin, output, ended, kill }: Contained, onBytes: (bytes: number) => void): Transport => {
  const buffer = new ReadBuffer({ maxBufferSize: MCP_RESPONSE_BYTES_MAX });
  const transport: Transport = {
    start: async () => {
      output.on('data', (part: Buffer) => {
        onBytes(part.length);
        try {
          buffer.append(part);
          for (let message = buffer.readMessage(); message !== null; message = buffer.readMessage())
            transport.onmessage?.(message);
        } catch {
          // It wrote more than fits, or something that is no message: nobody knows what comes next.
          kill();
        }
      });
      void ended.then(() => transport.onclose?.());
    },
    send: async (message) => {
      stdin.write(serializeMessage(message));
    },
    close: async () => kill(),
  };
  return transport;
};

/** @throws ProtocolError if it cannot be started; the words may be the server's */
export const startMcpProcess = async (server: MachineServer, place: McpPlace): Promise<McpProcess> => {
  const { sandbox, allowed, trees } = place;
  const command = commandOf(server, place);
  const secrets = secretsOf(server, place);
  const roots = [...server.read, ...server.write];
  const masks = masksOf(readTrees(roots, trees), roots);
  const proxy = server.hosts.length === 0 ? undefined : await startProxy(server.hosts);
  const bridge = [NODE, '--no-warnings', BRIDGE, SOCKET, String(PROXY_PORT)];
  const confinement: Confinement = {
    ...{ home: allowed.home, read: server.read, write: server.write, masks, hasNetwork: false },
    folder: roots.at(-1) ?? '/tmp',
    own:
      proxy === undefined
        ? command.own
        : [
            ...command.own.filter((one) => one !== OWN_NODE),
            OWN_NODE,
            { from: fileURLToPath(new URL('./mcp-bridge.ts', import.meta.url)), to: BRIDGE },
            { from: proxy.socket, to: SOCKET },
          ],
    environment: { ...(proxy === undefined ? {} : BRIDGED), ...server.env, ...secrets },
  };
  const limits = { ...allowed.limits, timeMs: SERVER_LIFE_MS };
  const argv = proxy === undefined ? command.argv : [...bridge, ...command.argv];
  const contained = sandbox.start({ argv, confinement, limits, isTalking: true });
  const { stop, why, release } = guard(contained, limits);
  let isOver = false;
  void contained.ended.then(() => {
    isOver = true;
    release();
    proxy?.close();
  });
  let bytes = 0;
  const transport = buildTransport(contained, (more) => {
    bytes += more;
    if (bytes > MCP_RESPONSE_BYTES_MAX) stop('it wrote too much');
  });
  const reason = (): string => {
    const words = contained.complaint().replace(/\s+/g, ' ').trim().slice(-COMPLAINT_CHARS).toWellFormed();
    return why() ?? (words === '' ? 'it ended' : `it ended, and its last words were: ${words}`);
  };
  const client = buildClient();
  try {
    await client.connect(transport, { timeout: START_MS_MAX, maxTotalTimeout: START_MS_MAX });
  } catch {
    const isSilent = !isOver;
    contained.kill();
    await contained.ended;
    throw new ProtocolError(
      `the server ${server.name} does not start: ${isSilent && why() === undefined ? 'it says nothing that MCP knows' : reason()}`,
    );
  }
  readNullsAsAbsent(transport);
  return {
    client,
    isOver: () => isOver,
    why: reason,
    begin: () => {
      bytes = 0;
    },
    end: () => contained.kill(),
  };
};
