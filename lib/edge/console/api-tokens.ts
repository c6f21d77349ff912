/**
 * `API_TOKENS`: the tokens of scripts, JSON: name → {"token", "scopes"}. Gives the entries that
 * fit, and one sentence for each mistake: it names the entry, never a secret. An entry with a
 * mistake opens nothing. Pure; used when a stack starts, and again at each reading of the secret.
 */
import { API_TOKEN_CHARS_MIN } from '../limits.ts';

/** Tokens of scripts: each request is compared with all of them. */
const API_TOKENS_MAX = 50;

/**
 * - `read`: everything there is to see but the ids of approvals
 * - `speak`: messages in conversations of its own; its words are untrusted
 * - `speak-as-owner`: the same, and its words are the owner's
 */
export const SCOPES = ['read', 'speak', 'speak-as-owner'] as const;
export type Scope = (typeof SCOPES)[number];

export interface ScriptToken {
  readonly name: string;
  readonly token: string;
  readonly scopes: ReadonlySet<Scope>;
}

export interface ApiTokens {
  readonly tokens: readonly ScriptToken[];
  readonly problems: readonly string[];
}

/** It stands in the names of conversations and senders. */
const NAME = /^[a-z][a-z0-9-]{0,23}$/;
const NAME_PROBLEM = 'needs another name: 1-24 of a-z 0-9 -, and a letter first';
const FORM = 'must be JSON: name → {"token": "…", "scopes": ["read", "speak" or "speak-as-owner"]}';

export const CONSOLE_TOKEN_GONE =
  'is no longer used: remove it. You yourself need only APPROVER_TOKEN. For a script that uses its value, write ' +
  `API_TOKENS='{"console": {"token": "<its value>", "scopes": ["read", "speak-as-owner"]}}'`;

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isScope = (value: unknown): value is Scope => SCOPES.some((scope) => scope === value);

const tokenProblem = (token: unknown): string | undefined => {
  if (typeof token !== 'string' || token === '') return 'needs a "token"';
  if (!/^[\x21-\x7e]+$/.test(token)) return 'has a token with a space or a letter that no header takes';
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

const parseObject = (text: string): Readonly<Record<string, unknown>> | undefined => {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
};

const buildToken = (name: string, entry: unknown): readonly ScriptToken[] =>
  isObject(entry) && typeof entry.token === 'string' && Array.isArray(entry.scopes)
    ? [{ name, token: entry.token, scopes: new Set(entry.scopes.filter(isScope)) }]
    : [];

/** Why a token that fits by itself may not stand beside the others. */
const sharedProblem = (
  { name, token }: ScriptToken,
  all: readonly ScriptToken[],
  approverToken: string | undefined,
): string | undefined => {
  if (token === approverToken) return "has the approver's token: give it one of its own";
  const twin = all.find((other) => other.name !== name && other.token === token);
  return twin === undefined ? undefined : `has the token of ${twin.name}: give each its own`;
};

/** @param text of the setting; undefined or empty for no scripts. */
export const parseApiTokens = (text: string | undefined, approverToken: string | undefined): ApiTokens => {
  if (text === undefined || text.trim() === '') return { tokens: [], problems: [] };
  const value = parseObject(text);
  if (value === undefined) return { tokens: [], problems: [FORM] };
  const entries = Object.entries(value);
  if (entries.length > API_TOKENS_MAX)
    return { tokens: [], problems: [`has ${entries.length} tokens; at most ${API_TOKENS_MAX} are taken`] };
  const problems: string[] = [];
  const isFine = (name: string, problem: string | undefined): boolean => {
    if (problem !== undefined) problems.push(`${name} ${problem}`);
    return problem === undefined;
  };
  const fitting = entries.flatMap(([name, entry], index) => {
    // A name that does not fit is not said: somebody may have put the token in its place.
    const [said, problem] = NAME.test(name) ? [name, entryProblem(entry)] : [`entry ${index + 1}`, NAME_PROBLEM];
    return isFine(said, problem) ? buildToken(name, entry) : [];
  });
  const tokens = fitting.filter((one) => isFine(one.name, sharedProblem(one, fitting, approverToken)));
  return { tokens, problems };
};
