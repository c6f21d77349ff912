/**
 * Requests to this server and to its control function. The token arrives in the fragment of the
 * address, which a browser sends to nobody, or by the form. This tab keeps it, or this browser for
 * 30 days if the person asks for it. It leaves only as a Bearer header: a cookie would go to every
 * port of this machine, and not to the control function.
 */
import { signal } from '@preact/signals';
import { language, phrase } from './language.ts';
import { isNumber, isObject, readStored } from './stored.ts';

/** Values that the server writes into the page. */
export interface PageSettings {
  readonly controlOrigin: string;
  readonly controlPath: string;
  readonly grantUses: number;
  readonly grantHours: number;
}

export const SETTINGS: PageSettings = JSON.parse(
  document.querySelector('meta[name=settings]')?.getAttribute('content') ?? '{}',
);
const CONTROL_PATH = new RegExp(SETTINGS.controlPath);
const TOKEN = 'passepartout-token';

/** A lost device is signed in no longer than this. */
const STAY_SIGNED_IN_MS = 30 * 24 * 60 * 60 * 1000;

interface StayingToken {
  readonly token: string;
  /** Epoch milliseconds. */
  readonly until: number;
}

const loadStaying = (): string => {
  const staying = readStored(localStorage, {
    name: TOKEN,
    isWhole: (value): value is StayingToken =>
      isObject(value) && typeof value.token === 'string' && isNumber(value.until),
    loss: 'signInLost',
  });
  if (staying === undefined || staying.until > Date.now()) return staying?.token ?? '';
  localStorage.removeItem(TOKEN);
  return '';
};

/** Takes the token out of the address; another fragment is a view. @returns whether it had one */
const takeToken = (): boolean => {
  const given = new URLSearchParams(location.hash.slice(1)).get('token');
  if (given === null) return false;
  sessionStorage.setItem(TOKEN, given);
  history.replaceState(null, '', location.pathname);
  return true;
};
takeToken();
// A link to sign in that is pasted into an open tab: the page begins anew with it.
addEventListener('hashchange', () => {
  if (takeToken()) location.reload();
});

/** A person may paste the whole link. */
export const tokenIn = (typed: string): string => /#token=([^&\s]+)/.exec(typed)?.[1] ?? typed.trim();

export const token = signal(sessionStorage.getItem(TOKEN) ?? loadStaying());
/** Why the server did not take the last token; it stays at the door until another is given. */
export const refusal = signal('');
/** One line about what went wrong; empty for nothing. */
export const problem = signal('');

/** The keyboard goes on from the box for a message. */
export const hasJustSignedIn = signal(false);

export const signIn = (given: string, isStaying: boolean): void => {
  hasJustSignedIn.value = true;
  sessionStorage.setItem(TOKEN, given);
  if (isStaying) localStorage.setItem(TOKEN, JSON.stringify({ token: given, until: Date.now() + STAY_SIGNED_IN_MS }));
  token.value = given;
  problem.value = '';
  refusal.value = '';
};

const dropToken = (): void => {
  sessionStorage.removeItem(TOKEN);
  if (loadStaying() === token.value) localStorage.removeItem(TOKEN);
  token.value = '';
};

/** Nothing that was shown stays in this tab; the others of this browser follow. */
export const signOut = (): void => {
  dropToken();
  location.reload();
};
addEventListener('storage', ({ key, oldValue, newValue }) => {
  const isOurs = oldValue?.includes(JSON.stringify(token.value)) === true;
  if (key === TOKEN && newValue === null && isOurs) signOut();
});

const originFor = (method: string, path: string): string =>
  method === 'POST' && CONTROL_PATH.test(path) ? SETTINGS.controlOrigin : '';

/** Asks with the token of this tab. @param path address on this server, with its query */
export const request = (path: string, init: RequestInit = {}): Promise<Response> =>
  fetch(originFor(init.method ?? 'GET', path) + path, {
    ...init,
    cache: 'no-store',
    credentials: 'omit',
    headers: { ...init.headers, 'accept-language': language.value, authorization: `Bearer ${token.value}` },
  });

/** The answer as JSON; the caller names its type. @throws Error in words for a person */
const readAnswer = async <T>(response: Response, mayFail: boolean): Promise<T> => {
  const answer = await response.json().catch(() => ({}));
  if (response.status === 401) throw new Error(phrase('unknownToken'));
  if (!response.ok && !mayFail) throw new Error(answer.error?.message ?? phrase('serverAnswered')(response.status));
  return answer;
};

export const get = async <T>(path: string): Promise<T> => {
  const asked = token.value;
  const response = await request(path);
  // The token of a script that may not read has nothing to see here.
  const isRefused = response.status === 401 || response.status === 403;
  if (isRefused && asked === token.value) dropToken();
  try {
    return await readAnswer<T>(response, path === '/health');
  } catch (error) {
    if (isRefused) refusal.value = describeFailure(error);
    throw error;
  }
};

export const post = async <T>(path: string, body?: object): Promise<T> => {
  const content = { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  const response = await request(path, { method: 'POST', ...(body === undefined ? {} : content) });
  if (response.status === 401) dropToken();
  return readAnswer<T>(response, false);
};

/** Such as `?name=deploys&count=5`; empty values are left out. */
export const query = (values: Readonly<Record<string, string>>): string => {
  const given = Object.entries(values).filter(([, value]) => value !== '');
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`;
};

export const describeFailure = (error: unknown): string => {
  // The browser says no more when the server is away.
  if (error instanceof TypeError) return phrase('unreachable');
  return error instanceof Error ? error.message : String(error);
};

/** Shows a failure to the person. */
export const attempt = async <T>(work: () => Promise<T>): Promise<T | undefined> => {
  try {
    problem.value = '';
    return await work();
  } catch (error) {
    problem.value = error instanceof TypeError ? describeFailure(error) : phrase('failed')(describeFailure(error));
    return undefined;
  }
};
