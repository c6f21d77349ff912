/**
 * The sender of a request: the approver (the owner at the page and the command line), or a script
 * by its name and scopes. `API_TOKENS` holds the scripts' tokens as JSON: name → {"token",
 * "scopes"}. Pure.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import { isObject, readJson } from '../../base/json.ts';
import { API_TOKEN_CHARS_MIN } from '../limits.ts';

/** Each request is compared with every token. */
const API_TOKENS_MAX = 50;

/**
 * - `read`: see everything except the ids of approvals
 * - `speak`: write in conversations of its own; its words are untrusted
 * - `speak-as-owner`: the same, and its words count as the owner's
 */
const SCOPES = ['read', 'speak', 'speak-as-owner'] as const;
export type Scope = (typeof SCOPES)[number];

interface ScriptToken {
  readonly name: string;
  readonly token: string;
  readonly scopes: ReadonlySet<Scope>;
}

export interface ApiTokens {
  readonly tokens: readonly ScriptToken[];
  readonly problems: readonly string[];
}

/** A script's name becomes part of the names of conversations and senders. */
const NAME = /^[a-z][a-z0-9-]{0,23}$/;
const NAME_PROBLEM = 'needs another name: 1-24 of a-z 0-9 -, and a letter first';
const FORM = 'must be JSON: name → {"token": "…", "scopes": ["read", "speak" or "speak-as-owner"]}';

const isScope = (value: unknown): value is Scope => SCOPES.some((scope) => scope === value);

const tokenProblem = (token: unknown): string | undefined => {
  if (typeof token !== 'string' || token === '') return 'needs a "token"';
  if (!/^[\x21-\x7e]+$/.test(token)) return 'has a token with a space or a character that an HTTP header cannot carry';
  return token.length < API_TOKEN_CHARS_MIN ? `needs a token of ${API_TOKEN_CHARS_MIN} characters or more` : undefined;
};

const scopesProblem = (scopes: unknown): string | undefined => {
  if (!Array.isArray(scopes) || scopes.length === 0) return `needs "scopes": a list of ${SCOPES.join(', ')}`;
  const wrong = scopes.findIndex((scope) => !isScope(scope));
  if (wrong >= 0) return `has a scope that does not exist, number ${wrong + 1}: there are ${SCOPES.join(', ')}`;
  if (new Set(scopes).size < scopes.length) return 'has the same scope twice';
  return scopes.includes('speak') && scopes.includes('speak-as-owner')
    ? "has both speak and speak-as-owner: its words are either untrusted or the owner's"
    : undefined;
};

const entryProblem = (entry: unknown): string | undefined => {
  if (!isObject(entry)) return 'must be {"token", "scopes"}';
  if (Object.keys(entry).some((member) => member !== 'token' && member !== 'scopes'))
    return 'has a member beside "token" and "scopes"';
  return tokenProblem(entry.token) ?? scopesProblem(entry.scopes);
};

const buildToken = (name: string, entry: unknown): readonly ScriptToken[] =>
  isObject(entry) && typeof entry.token === 'string' && Array.isArray(entry.scopes)
    ? [{ name, token: entry.token, scopes: new Set(entry.scopes.filter(isScope)) }]
    : [];

/** Why a valid token may not be used together with the others. */
const sharedProblem = (
  { name, token }: ScriptToken,
  all: readonly ScriptToken[],
  approverToken: string | undefined,
): string | undefined => {
  if (token === approverToken) return "has the approver's token: give it one of its own";
  const twin = all.find((other) => other.name !== name && other.token === token);
  return twin === undefined ? undefined : `has the token of ${twin.name}: give each its own`;
};

/**
 * Gives the valid entries, and one sentence for each mistake, which names the entry and never a
 * secret. An entry with a mistake opens nothing. @param text of the setting; undefined or empty for
 * no scripts
 */
export const parseApiTokens = (text: string | undefined, approverToken: string | undefined): ApiTokens => {
  if (text === undefined || text.trim() === '') return { tokens: [], problems: [] };
  const value = readJson(text);
  if (!isObject(value)) return { tokens: [], problems: [FORM] };
  const entries = Object.entries(value);
  if (entries.length > API_TOKENS_MAX)
    return { tokens: [], problems: [`has ${entries.length} tokens; at most ${API_TOKENS_MAX} are taken`] };
  const problems: string[] = [];
  const isValid = (label: string, problem: string | undefined): boolean => {
    if (problem !== undefined) problems.push(`${label} ${problem}`);
    return problem === undefined;
  };
  const candidates = entries.flatMap(([name, entry], index) => {
    // An invalid name is not repeated: somebody may have put the token in its place.
    const [label, problem] = NAME.test(name) ? [name, entryProblem(entry)] : [`entry ${index + 1}`, NAME_PROBLEM];
    return isValid(label, problem) ? buildToken(name, entry) : [];
  });
  const tokens = candidates.filter((one) => isValid(one.name, sharedProblem(one, candidates, approverToken)));
  return { tokens, problems };
};

export interface ConsoleTokens {
  readonly approverToken: string | undefined;
  readonly scripts: readonly ScriptToken[];
}

export type Caller =
  | { readonly kind: 'approver' }
  | { readonly kind: 'script'; readonly name: string; readonly scopes: ReadonlySet<Scope> };

/** A request without a token: at the page and the health answer. */
export const NOBODY: Caller = { kind: 'script', name: '', scopes: new Set() };

/**
 * The need of a route. `nobody`: no token. `own`: a token with `read`, or one that may speak and
 * asks about its own signals. `speak`: any token that may speak.
 */
export type Need = 'nobody' | 'own' | Scope | 'approver';

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/**
 * Compares the token with every known one in constant time, by SHA-256, so that neither length,
 * prefix nor place shows. An unset token opens nothing (I5). @param authorization the header as it
 * came. @returns undefined for anyone unknown
 */
export const findCaller = (authorization: string | undefined, tokens: ConsoleTokens): Caller | undefined => {
  const given = digest(/^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1] ?? '');
  const isSame = (token: string): boolean => timingSafeEqual(given, digest(token)) && token !== '';
  const found = tokens.scripts.filter(({ token }) => isSame(token));
  const isApprover = isSame(tokens.approverToken ?? '');
  const [script] = found;
  // A token shared by the approver and a script is refused when the setting is read; here it only
  // counts as the script's.
  if (script !== undefined) return { kind: 'script', name: script.name, scopes: script.scopes };
  return isApprover ? { kind: 'approver' } : undefined;
};

export const hasScope = (caller: Caller, scope: Scope): boolean =>
  caller.kind === 'approver' || caller.scopes.has(scope);

const maySpeak = (caller: Caller): boolean => hasScope(caller, 'speak') || hasScope(caller, 'speak-as-owner');

export const isAllowed = (caller: Caller, need: Need): boolean => {
  switch (need) {
    case 'nobody':
      return true;
    case 'own':
      return hasScope(caller, 'read') || maySpeak(caller);
    case 'speak':
      return maySpeak(caller);
    case 'read':
    case 'speak-as-owner':
      return hasScope(caller, need);
    case 'approver':
      return caller.kind === 'approver';
    default:
      return need satisfies never;
  }
};

/** The reason of a refusal, for the author of the script. */
export const describeNeed = (need: Need): string => {
  if (need === 'approver') return "this needs the approver's token";
  return `this needs a token with the scope ${need === 'own' ? 'read' : need}`;
};
