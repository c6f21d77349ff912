/**
 * The tools for an approver's MCP servers: add one, accept its offer, remove it, list all. Adding
 * and accepting are two steps: an approver accepts, by its hash, exactly the offer that was shown.
 * Act alone writes the record, by one conditional write.
 */

import { ProtocolError, RetryLaterError } from '../../core/base/errors.ts';
import { KIB, MCP_TIMEOUT_MS, RETRY_BACKOFF_MS } from '../../core/base/limits.ts';
import { machineOf } from '../../core/signal/runner-tools.ts';
import { equals, IS_NEW } from '../../core/store/condition.ts';
import { type DeclaredFacts, FACT_NAMES, findFactProblems } from '../../core/store/declared-facts.ts';
import { mcpKey } from '../../core/store/keys.ts';
import { loadItem } from '../../core/store/load-named.ts';
import type { Table } from '../../core/store/table.ts';
import { wasWritten } from '../../core/store/update-if.ts';
import { acceptWords, namesOf } from '../../core/tools/accept-words.ts';
import {
  isUnchanged,
  MCP_TOOLS_MAX,
  type McpCatalogue,
  type McpServer,
  type McpTool,
  offerHash,
  parseMcpCatalogue,
  quoted,
} from '../../core/tools/mcp-catalogue.ts';
import { plainSchema, schemaWords } from '../../core/tools/plain-schema.ts';
import { loginLine } from '../consent/login-line.ts';
import type { Logins } from '../consent/logins.ts';
import type * as Session from './session.ts';

/** Tools of each are part of every prompt. */
const MCP_SERVERS_MAX = 8;

interface WantedServer {
  readonly server: string;
  readonly url: string;
  readonly addresses: readonly string[];
  readonly by: string;
  readonly now: number;
}

export interface McpServers {
  /** Asks the server for its offer and stores it. @throws ProtocolError in fixed words */
  readonly add: (wanted: WantedServer) => Promise<readonly string[]>;
  /**
   * @param offer hash of the offer that was shown
   * @param facts fields by which a policy counts, and reads that pass without a question:
   * `pay.amount=amount reads=list,get`
   */
  readonly accept: (server: string, offer: string, facts?: string) => Promise<readonly string[]>;
  readonly remove: (server: string) => Promise<readonly string[]>;
  readonly list: () => Promise<readonly string[]>;
}

/** One line on the reads that pass, and one on those that could. */
const readLines = (server: McpServer): readonly string[] => {
  const { accepted, offered } = server;
  const passing = accepted.filter((tool) => tool.passes && isUnchanged(server, tool));
  const able = (offered ?? accepted).filter(({ declaresRead }) => declaresRead);
  const isOfferable = namesOf(able) !== '' && (offered !== undefined || passing.length === 0);
  const back = offered === undefined ? ` To take this back: /mcp accept ${acceptWords(server, undefined, [])}` : '';
  return [
    ...(isOfferable
      ? [`  To let its reads pass without a question too: /mcp accept ${acceptWords(server, undefined, able)}`]
      : []),
    ...(passing.length > 0
      ? [`  Without a question in your own turns, but for words of others in it: ${namesOf(passing)}.${back}`]
      : []),
  ];
};

/** The server's words are quoted, so that they cannot pass for ours. */
const toolLine = (tool: McpTool, state: string): string => {
  const facts = FACT_NAMES.flatMap((name) => (tool[name] === undefined ? [] : [`; its ${name} is ${tool[name]}`]));
  return `  ${tool.name} ${state}: ${quoted(tool.description)}; takes ${schemaWords(plainSchema(tool.inputSchema)).join(', ') || 'nothing'}${facts.join('')}`;
};

const stateOf = (server: McpServer, { name }: McpTool): string => {
  const known = server.accepted.find((tool) => tool.name === name);
  if (known === undefined) return '(offered)';
  if (isUnchanged(server, known)) return '(accepted)';
  return '(CHANGED since it was accepted: off)';
};

export const serverLines = (server: McpServer): readonly string[] => {
  const tools = server.offered ?? server.accepted;
  const machine = machineOf(server.url);
  const gone = server.accepted.filter(({ name }) => !tools.some((tool) => tool.name === name));
  return [
    machine === undefined ? `${server.name} at ${server.url}` : `${server.name} on the machine ${machine}`,
    ...tools.map((tool) => toolLine(tool, stateOf(server, tool))),
    ...gone.map(({ name }) => `  ${name} (no longer offered: off)`),
    ...(server.offered === undefined || tools.length === 0
      ? []
      : [`  To accept exactly this: /mcp accept ${acceptWords(server, undefined, [])}`]),
    ...readLines(server),
  ];
};

const withServer = (servers: readonly McpServer[], server: McpServer): readonly McpServer[] => [
  ...servers.filter(({ name }) => name !== server.name),
  server,
];

const findServer = (servers: readonly McpServer[], name: string): McpServer => {
  const found = servers.find((server) => server.name === name);
  if (found === undefined) throw new ProtocolError('no MCP server of this name was added');
  return found;
};

/** With the server's present offer, or without one if it equals what is accepted. */
export const withOffer = (server: McpServer, offered: readonly McpTool[]): McpServer => {
  const { offered: _old, ...rest } = server;
  const isSame = offered.length > 0 && offerHash(offered) === offerHash(server.accepted);
  return isSame ? rest : { ...rest, offered: [...offered] };
};

const FACT = /^([^\s=]{1,128})\.(recipient|amount|currency)=(\S{1,256})$/;

/** Each must be a tool whose server declares that it only reads. @throws ProtocolError */
const readsNamed = (tools: readonly McpTool[], names: readonly string[]): ReadonlySet<string> => {
  for (const name of names)
    if (!tools.some(({ remote, declaresRead }) => remote === name && declaresRead))
      throw new ProtocolError('reads= takes names of tools shown, with commas between, which the server calls reads');
  return new Set(names);
};

const READS = 'reads=';

/** With the fields by which a policy counts, and the reads that pass. @throws ProtocolError */
export const withFacts = (tools: readonly McpTool[], words: string): McpTool[] => {
  const given = words.split(/\s+/).filter((word) => word !== '');
  const facts = given.filter((word) => !word.startsWith(READS));
  const lists = given.filter((word) => word.startsWith(READS)).map((word) => word.slice(READS.length));
  const reads = readsNamed(
    tools,
    lists.flatMap((list) => list.split(',')),
  );
  const declared = facts.map((word) => {
    const [, remote, name, path = ''] = FACT.exec(word) ?? [];
    if (!tools.some((tool) => tool.remote === remote))
      throw new ProtocolError('a fact is written <tool>.amount=<field>, or .recipient or .currency, of a tool shown');
    return { remote, fact: { [String(name)]: path } };
  });
  return tools.map(({ recipient: _r, amount: _a, currency: _c, passes: _p, ...tool }) => {
    const own: DeclaredFacts = Object.assign(
      {},
      ...declared.filter(({ remote }) => remote === tool.remote).map(({ fact }) => fact),
    );
    const [first] = findFactProblems(own, tool.inputSchema);
    if (first !== undefined)
      throw new ProtocolError(`the ${first.name} of ${tool.name} cannot be taken from there: it ${first.problem}`);
    return { ...tool, ...own, ...(reads.has(tool.remote) ? { passes: true } : {}) };
  });
};

/** An accepted offer may be accepted again, with other facts or reads, or without. */
const accepted = (server: McpServer, offer: string, facts: string): McpServer => {
  const { offered, ...rest } = server;
  const tools = offered ?? server.accepted;
  const hasMore = tools.some((tool) => tool.passes || FACT_NAMES.some((name) => tool[name] !== undefined));
  if (offered === undefined && facts === '' && !hasMore)
    throw new ProtocolError('this server offers nothing that is not accepted');
  if (offerHash(tools) !== offer) throw new ProtocolError('this is not what the server offers: see /mcp list');
  return { ...rest, accepted: withFacts(tools, facts) };
};

const countTools = (servers: readonly McpServer[]): number =>
  servers.reduce((sum, one) => sum + one.accepted.length, 0);

export type GivenToken = Pick<Session.ServerAccess, 'token' | 'login'>;

export interface Reach {
  readonly store: McpStore;
  readonly loadSession: () => Promise<McpSession>;
  readonly logins: Logins;
  /** The token or login of exactly this server at exactly this address. */
  readonly tokenFor: (server: string, url: string) => GivenToken;
}

const linesOf = async (store: McpStore, name: string): Promise<readonly string[]> =>
  serverLines(findServer((await store.load()).servers, name));

const addServer = async (
  { store, loadSession, logins, tokenFor }: Reach,
  { server: name, url, addresses, by, now }: WantedServer,
): Promise<readonly string[]> => {
  const { listServerTools } = await loadSession();
  const access = { server: name, url, addresses, ...tokenFor(name, url), timeoutMs: MCP_TIMEOUT_MS };
  const outcome = await listServerTools(access);
  const wants = outcome.kind === 'failed' ? outcome.wants : undefined;
  if (outcome.kind !== 'listed' && wants === undefined)
    throw new ProtocolError('why' in outcome ? outcome.why : 'the MCP server refused');
  const { offered, count } = outcome.kind === 'listed' ? outcome : { offered: undefined, count: 0 };
  await store.change((servers) => {
    // Another address is another server, so nothing of the old one stays accepted.
    const known = servers.find((one) => one.name === name && one.url === url);
    if (known === undefined && servers.length >= MCP_SERVERS_MAX)
      throw new ProtocolError('there are too many MCP servers');
    const server = known ?? { name, url, by, at: now, accepted: [] };
    return withServer(servers, offered === undefined ? server : withOffer(server, offered));
  });
  if (offered === undefined) {
    await logins.noteWanted(name, url, wants ?? {});
    return [`${name} at ${url}`, `  ${loginLine(name, await logins.load(name))}`];
  }
  const left = count - offered.length;
  return [...(await linesOf(store, name)), ...(left > 0 ? [`  ${left} of its tools cannot be used here.`] : [])];
};

const acceptOffer = async (store: McpStore, name: string, offer: string, facts: string): Promise<readonly string[]> => {
  await store.change((servers) => {
    const changed = withServer(servers, accepted(findServer(servers, name), offer, facts));
    if (countTools(changed) > MCP_TOOLS_MAX)
      throw new ProtocolError(`more than ${MCP_TOOLS_MAX} tools of MCP servers are too many`);
    return changed;
  });
  return linesOf(store, name);
};

const removeServer = async ({ store, logins }: Reach, name: string): Promise<readonly string[]> => {
  await logins.logOut(name);
  await store.change((servers) => {
    const found = findServer(servers, name);
    return servers.filter((one) => one !== found);
  });
  return [`${name} is gone, and its tools with it.`];
};

const listServers = async ({ store, logins }: Reach): Promise<readonly string[]> => {
  const { servers } = await store.load();
  const all = await Promise.all(
    servers.map(async (server) => {
      const [first = '', ...rest] = serverLines(server);
      const login = await logins.load(server.name);
      return login?.url === server.url ? [first, `  ${loginLine(server.name, login)}`, ...rest] : [first, ...rest];
    }),
  );
  return all.length === 0 ? ['No MCP server was added.'] : all.flat();
};

export const buildMcpServers = (reach: Reach): McpServers => ({
  add: (wanted) => addServer(reach, wanted),
  accept: (name, offer, facts = '') => acceptOffer(reach.store, name, offer, facts),
  remove: (name) => removeServer(reach, name),
  list: () => listServers(reach),
});

/** All servers are one item of the table. */
const MCP_CATALOGUE_CHARS_MAX = 96 * KIB;
/** Tries of a change that meets other changes. */
const MCP_CHANGE_TRIES_MAX = 5;

export interface McpStore {
  readonly load: () => Promise<McpCatalogue>;
  /** @throws ProtocolError if the record grew too large; RetryLaterError on conflicts */
  readonly change: (make: (servers: readonly McpServer[]) => readonly McpServer[]) => Promise<void>;
}

type McpTable = Pick<Table, 'load' | 'put'>;

const loadCatalogue = async (table: McpTable, space: string): Promise<McpCatalogue> =>
  parseMcpCatalogue(await loadItem(table, mcpKey(space)));

/** @returns false if another change came first. */
const saveServers = async (
  table: McpTable,
  space: string,
  { round }: McpCatalogue,
  servers: readonly McpServer[],
): Promise<boolean> => {
  const text = JSON.stringify(servers);
  if (text.length > MCP_CATALOGUE_CHARS_MAX)
    throw new ProtocolError('there is no room for so many tools of MCP servers');
  const isSame = { name: 'catalogue is as it was read', holds: equals('round', round) };
  const item = { schemaVersion: 1, round: round + 1, servers: text };
  return wasWritten(table.put(mcpKey(space), item, round === 0 ? IS_NEW : isSame));
};

export const buildMcpStore = (table: McpTable, space: string): McpStore => ({
  load: () => loadCatalogue(table, space),
  change: async (make) => {
    for (let tries = 0; tries < MCP_CHANGE_TRIES_MAX; tries += 1) {
      const current = await loadCatalogue(table, space);
      if (await saveServers(table, space, current, make(current.servers))) return;
    }
    throw new RetryLaterError('the MCP servers are being changed by others', RETRY_BACKOFF_MS[0]);
  },
});

/** Loads the MCP client when it is first needed: a file beside this one, or beside the bundle. */
export type McpSession = Pick<typeof Session, 'listServerTools' | 'callServerTool' | 'withServerEvents'>;

const URL_OF_PART = new URL(import.meta.url.endsWith('.ts') ? './session.ts' : './mcp-session.mjs', import.meta.url);

const isSession = (part: unknown): part is McpSession =>
  typeof part === 'object' && part !== null && 'listServerTools' in part && 'callServerTool' in part;

/** @throws if the file is missing. */
export const loadMcpSession = async (): Promise<McpSession> => {
  const part: unknown = await import(URL_OF_PART.href);
  if (!isSession(part)) throw new Error('the MCP client is not what it should be');
  return part;
};
