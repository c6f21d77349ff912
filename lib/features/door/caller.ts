/**
 * The caller of a door for programs: the console says whose token a request carries. The approver's
 * is refused, because whoever holds it may approve and a model speaks here.
 */
import * as z from 'zod/mini';
import { HttpError, type HttpRequest } from '../../core/http/function-url.ts';
import type { DoorCaller } from './serve.ts';
import type { AskConsole } from './tools.ts';

const TokenAnswer = z.object({
  role: z.enum(['approver', 'script']),
  name: z.optional(z.string()),
  scopes: z.optional(z.array(z.enum(['read', 'speak', 'speak-as-owner']))),
});

/** A browser names the page that asks; programs name none. */
export const refusePages = ({ headers }: HttpRequest): void => {
  const { origin, host = '' } = headers;
  if (origin !== undefined && !URL.canParse(origin)) throw new HttpError(403, 'refused', 'no page may use this server');
  if (origin !== undefined && new URL(origin).host !== host.toLowerCase())
    throw new HttpError(403, 'refused', 'no other page may use this server');
};

/** @throws HttpError 401 for an unknown token, 403 for the approver's */
export const findDoorCaller = async (ask: AskConsole, authorization: string): Promise<DoorCaller> => {
  const { status, value } = await ask({ method: 'GET', path: '/api/token' });
  if (status === 401) throw new HttpError(401, 'unauthorized', 'a bearer token of API_TOKENS is needed');
  const answer = TokenAnswer.safeParse(value).data;
  if (status !== 200 || answer === undefined)
    throw new HttpError(503, 'unavailable', 'the console did not answer; try again');
  const { role, name, scopes } = answer;
  if (role !== 'script' || name === undefined || scopes === undefined)
    throw new HttpError(403, 'forbidden', "this door takes no approver's token: give the program one of API_TOKENS");
  return { name, scopes: new Set(scopes), token: authorization };
};
