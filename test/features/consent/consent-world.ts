/** The parts of a login over a real table, and a person who agrees in a browser. */
import { randomUUID } from 'node:crypto';
import type { Table } from '../../../lib/core/store/table.ts';
import type { OwnClient } from '../../../lib/features/consent/login-record.ts';
import { type PerformParts, performLogin } from '../../../lib/features/consent/perform-login.ts';
import { sealAnswer } from '../../../lib/features/consent/seal.ts';

export const REDIRECT = 'http://127.0.0.1:3000/callback';

/** @param own a client that was registered by hand */
export const partsOn = (table: Table, now: () => number = Date.now, own?: OwnClient): PerformParts => ({
  table,
  space: 'default',
  loadSecret: async () => 'the secret of Act in a test',
  now,
  newId: randomUUID,
  ownClient: () => own,
});

export interface Begun {
  readonly link: string;
  readonly state: string;
}

export const begin = async (parts: PerformParts, server: string, url: string): Promise<Begun> => {
  const { output } = await performLogin(parts, 'log-in', { server, url, redirect: REDIRECT }, 'owner');
  const link = output.split('\n').at(-1) ?? '';
  return { link, state: new URL(link).searchParams.get('state') ?? '' };
};

/** The query of the address to which the browser is sent. */
export const agree = async ({ link }: Begun): Promise<string> => {
  const { headers } = await fetch(link, { redirect: 'manual' });
  return new URL(headers.get('location') ?? '').search.slice(1);
};

/** @param state of the login that the answer is sealed for */
export const bring = async (parts: PerformParts, server: string, url: string, state: string, query: string) =>
  performLogin(parts, 'log-in', { server, url, answer: sealAnswer(state, query) }, 'owner');

export const logIn = async (parts: PerformParts, server: string, url: string): Promise<void> => {
  const begun = await begin(parts, server, url);
  await bring(parts, server, url, begun.state, await agree(begun));
};
