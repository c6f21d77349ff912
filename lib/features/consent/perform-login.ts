/**
 * Logs in at an MCP server, in two calls that an approver makes: the first asks who vouches there
 * and gives the address for a browser, the second brings the browser's answer. Both belong to one
 * login: only its own secret opens the answer, once, and for some minutes.
 */
import * as z from 'zod/mini';
import { defined } from '../../core/base/defined.ts';
import { ProtocolError } from '../../core/base/errors.ts';
import { readJson } from '../../core/base/json.ts';
import { MINUTE_MS } from '../../core/base/limits.ts';
import { equals, IS_NEW } from '../../core/store/condition.ts';
import { loadItem } from '../../core/store/load-named.ts';
import { wasWritten } from '../../core/store/update-if.ts';
import { quoted } from '../../core/text/quoted.ts';
import type { ToolOutput } from '../../core/tools/tool.ts';
import { loginLine } from './login-line.ts';
import { Begun, begunKey, changeLogin, type Login, loadLogin, type OwnClient, type Wants } from './login-record.ts';
import { asOurs } from './login-wanted.ts';
import { activeLogin, buildLogins, keyOf, type LoginParts, loadAuthorize } from './logins.ts';
import { newLoginKeys, seal, unseal, unsealAnswer } from './seal.ts';
import type { LoginArgs } from './tools.ts';

/** A person reads a page and agrees. */
const ANSWER_WAIT_MS = 10 * MINUTE_MS;

export interface PerformParts extends LoginParts {
  /** The client that was registered by hand for this server at this address. */
  readonly ownClient: (server: string, url: string) => OwnClient | undefined;
  /** Address of this stack's client metadata document, if the world can read it. */
  readonly clientUrl?: string | undefined;
}

/** `sealed`: the secret of the login, and what its answer needs. */
const BegunRow = z.object({
  schemaVersion: z.literal(1),
  round: z.int(),
  url: z.string(),
  until: z.int(),
  isSpent: z.boolean(),
  sealed: z.string(),
});
type BegunRow = z.infer<typeof BegunRow>;
const Sealed = z.object({ keys: z.object({ state: z.string(), secret: z.string() }), begun: Begun });

const begunName = (space: string, server: string, url: string): string => JSON.stringify(['begun', space, server, url]);

const loadBegun = async ({ table, space }: LoginParts, server: string): Promise<BegunRow | undefined> =>
  BegunRow.safeParse(await loadItem(table, begunKey(space, server))).data;

const saveBegun = ({ table, space }: LoginParts, server: string, before: BegunRow | undefined, row: BegunRow) => {
  const isSame = { name: 'login is as it was begun', holds: equals('round', before?.round ?? 0) };
  return wasWritten(table.put(begunKey(space, server), row, before === undefined ? IS_NEW : isSame));
};

/** Scopes that were granted stay granted: a server asks for what one call needs. */
const wantsOf = (login: Login | undefined, url: string): Wants => {
  if (login?.url !== url) return {};
  const scopes = new Set(`${login.scope ?? ''} ${login.wants.scope ?? ''}`.split(' ').filter((one) => one !== ''));
  return { ...login.wants, ...(scopes.size === 0 ? {} : { scope: [...scopes].join(' ') }) };
};

const beginLogin = async (parts: PerformParts, server: string, url: string, redirect: string) => {
  const { table, space, now, ownClient, clientUrl } = parts;
  const key = await keyOf(parts);
  const wants = wantsOf(await loadLogin(table, space, server), url);
  const keys = newLoginKeys();
  const wanted = { url, redirect, state: keys.state, wants, ...defined({ own: ownClient(server, url), clientUrl }) };
  const { link, begun } = await (await loadAuthorize()).begin(wanted).catch(asOurs);
  const before = await loadBegun(parts, server);
  const sealed = seal(key, begunName(space, server, url), JSON.stringify({ keys, begun }));
  const round = (before?.round ?? 0) + 1;
  const row = { schemaVersion: 1, round, url, until: now() + ANSWER_WAIT_MS, isSpent: false, sealed } as const;
  if (!(await saveBegun(parts, server, before, row)))
    throw new ProtocolError('another login at this server was begun at the same time');
  return [
    begun.scope
      ? `For ${server}, ${quoted(begun.issuer.issuer)} asks you in a browser, about ${quoted(begun.scope)}:`
      : `For ${server}, ${quoted(begun.issuer.issuer)} asks you in a browser:`,
    link,
  ];
};

const NOT_BEGUN = 'no login waits for this answer; begin anew in a terminal: npx passepartout mcp login';

const endLogin = async (parts: PerformParts, server: string, url: string, answer: string, by: string) => {
  const { table, space, now } = parts;
  const [key, row] = [await keyOf(parts), await loadBegun(parts, server)];
  if (row === undefined || row.isSpent || row.url !== url || now() > row.until) throw new ProtocolError(NOT_BEGUN);
  const opened = Sealed.safeParse(readJson(unseal(key, begunName(space, server, url), row.sealed) ?? ''));
  const text = opened.success ? unsealAnswer(opened.data.keys, answer) : undefined;
  if (!opened.success || text === undefined) throw new ProtocolError(NOT_BEGUN);
  // From here on it is spent, whatever comes of it.
  const spent = { ...row, round: row.round + 1, isSpent: true, sealed: '' };
  if (!(await saveBegun(parts, server, row, spent))) throw new ProtocolError(NOT_BEGUN);
  const query = new URLSearchParams(text);
  if (query.get('state') !== opened.data.keys.state) throw new ProtocolError(NOT_BEGUN);
  const held = await (await loadAuthorize()).end(url, opened.data.begun, query, now()).catch(asOurs);
  const login = activeLogin(key, { space, server, url, by, at: now() }, held);
  const saved = await changeLogin(table, space, server, () => login);
  return [loginLine(server, saved), `To see what ${server} offers: /mcp add ${server} ${url}`];
};

const logOut = async (parts: PerformParts, server: string): Promise<readonly string[]> => {
  const out = await buildLogins(parts).logOut(server);
  if (out === undefined) throw new ProtocolError('there is no login at this server');
  return [
    out.isRevoked
      ? `Logged out of ${server}: its tokens count no more, and are erased here.`
      : `Logged out of ${server}: its tokens are erased here. Who gave them did not say that they count no more; end the consent there.`,
  ];
};

export const performLogin = async (
  parts: PerformParts,
  tool: string,
  { server, url, redirect, answer = '' }: LoginArgs,
  by: string,
): Promise<ToolOutput> => {
  const logIn = () =>
    redirect === undefined ? endLogin(parts, server, url, answer, by) : beginLogin(parts, server, url, redirect);
  const lines = await (tool === 'log-out' ? logOut(parts, server) : logIn());
  return { output: lines.join('\n'), origin: 'outside' };
};
