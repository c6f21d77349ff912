/**
 * A client of the conformance suite, of the product's own parts: lists the tools of the server
 * whose address it gets and calls each. Where the server wants a login it logs in as a person would
 * who types `mcp login` and agrees in a browser; three times at most.
 */
import { randomUUID } from 'node:crypto';
import { type JsonObject, readJson } from '../../../lib/core/base/json.ts';
import { resolveAddresses } from '../../../lib/core/http/resolve-addresses.ts';
import type { OwnClient } from '../../../lib/features/consent/login-record.ts';
import { buildLogins } from '../../../lib/features/consent/logins.ts';
import { performLogin } from '../../../lib/features/consent/perform-login.ts';
import { sealAnswer } from '../../../lib/features/consent/seal.ts';
import { loadMcpSession } from '../../../lib/features/mcp/servers.ts';
import type { McpOutcome, ServerAccess } from '../../../lib/features/mcp/session.ts';
import { startDynamo } from '../../support/dynamo.ts';

const SERVER = 'x';
const REDIRECT = 'http://127.0.0.1:3000/callback';
const LOGINS_MAX = 3;
/** The suite knows a client by this address. */
const CLIENT_URL = 'https://conformance-test.local/client-metadata.json';

const [written = ''] = process.argv.slice(2);
const url = new URL(written).href;
const scenario = process.env.MCP_CONFORMANCE_SCENARIO ?? '';
const context = Object(readJson(process.env.MCP_CONFORMANCE_CONTEXT ?? '{}'));

/** The issuer that a person would copy from where they registered the client. */
const issuerOf = async (): Promise<string> => {
  const { origin, pathname } = new URL(url);
  const answer = await fetch(`${origin}/.well-known/oauth-protected-resource${pathname}`);
  return Object(await answer.json()).authorization_servers[0];
};
const ownClient: OwnClient | undefined =
  typeof context.client_id === 'string'
    ? { client: context.client_id, secret: context.client_secret, issuer: await issuerOf() }
    : undefined;

await using dynamo = await startDynamo();
const parts = {
  table: dynamo.table,
  space: 'default',
  loadSecret: async () => 'a secret of Act for one run of the suite',
  now: Date.now,
  newId: randomUUID,
  ownClient: () => ownClient,
  clientUrl: CLIENT_URL,
};
const logins = buildLogins(parts);
const access: ServerAccess = {
  server: SERVER,
  url,
  addresses: await resolveAddresses(url),
  login: { tokenOf: (spent) => logins.tokenOf(SERVER, url, spent), shown: new Map() },
  timeoutMs: 30_000,
};

/** Agrees in the browser: the suite asks nothing. */
const logIn = async (): Promise<void> => {
  const begun = await performLogin(parts, 'log-in', { server: SERVER, url, redirect: REDIRECT }, 'owner');
  const link = begun.output.split('\n').at(-1) ?? '';
  const agreed = await fetch(link, { redirect: 'manual' });
  const query = new URL(agreed.headers.get('location') ?? '').search.slice(1);
  const answer = sealAnswer(new URL(link).searchParams.get('state') ?? '', query);
  await performLogin(parts, 'log-in', { server: SERVER, url, answer }, 'owner');
};

let count = 0;
const withLogin = async (work: () => Promise<McpOutcome>): Promise<McpOutcome> => {
  const outcome = await work();
  if (outcome.kind !== 'failed' || outcome.wants === undefined || count === LOGINS_MAX) return outcome;
  count += 1;
  await logins.noteWanted(SERVER, url, outcome.wants);
  await logIn();
  return withLogin(work);
};

const { listServerTools, callServerTool } = await loadMcpSession();
const listed = await withLogin(() => listServerTools(access));
if (listed.kind !== 'listed') throw new Error(JSON.stringify(listed));
const numbers = { a: 5, b: 3 };
/** The suite says what to call, or else each tool gets two numbers; one shows the schema it got. */
const named: readonly { name: string; arguments: JsonObject }[] | undefined = context.toolCalls;
const schema = listed.offered.find(({ remote }) => remote === 'json_schema_2020_12_tool')?.inputSchema;
const calls = named ?? listed.offered.map(({ remote }) => ({ name: remote, arguments: schema ? { schema } : numbers }));
for (const { name, arguments: args } of scenario === 'json-schema-ref-no-deref' ? [] : calls) {
  const tool = listed.offered.find(({ remote }) => remote === name);
  if (tool === undefined) continue;
  const outcome = await withLogin(() => callServerTool(access, tool, args));
  if (outcome.kind !== 'done') throw new Error(JSON.stringify(outcome));
}
