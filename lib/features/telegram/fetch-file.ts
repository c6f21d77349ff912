/**
 * Fetches a file that came with a message: `getFile` says where it is, and a second request brings
 * it from the same Bot API server, never from elsewhere. Bounded in time and by the bytes that
 * come. The token is part of the address, so no error of the platform is passed on (I11).
 */
import * as z from 'zod/mini';
import { ProtocolError, UnavailableError } from '../../core/base/errors.ts';
import { SECOND_MS } from '../../core/base/limits.ts';
import {
  classifyFetchFailure,
  type TelegramClient,
  type TelegramClientConfig,
  type TelegramOutcome,
} from './client.ts';

const GET_FILE_TIMEOUT_MS = 5 * SECOND_MS;
/** Act has a minute for this, the model behind it, and all else. */
const FILE_TIMEOUT_MS = 15 * SECOND_MS;

/** Names joined by `/`: a path that leads upwards or to another server is none. */
const FilePath = z.string().check(z.regex(/^(?!\.)[\w.-]{1,128}(?:\/(?!\.)[\w.-]{1,128}){0,8}$/));
const Place = z.looseObject({ file_path: FilePath });

const pathOf = (outcome: TelegramOutcome): string => {
  if (outcome.kind === 'refused' && outcome.code !== 429)
    throw new ProtocolError(`Telegram does not give the file: ${outcome.description}`);
  if (outcome.kind !== 'done')
    throw new UnavailableError(`Telegram did not say where the file is; send it again later`);
  const place = Place.safeParse(outcome.result);
  if (!place.success) throw new ProtocolError('Telegram named no place of the file that can be used');
  return place.data.file_path;
};

const readBounded = async (response: Response, bytesMax: number): Promise<Uint8Array<ArrayBuffer>> => {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > bytesMax) throw new ProtocolError(`it has more than ${bytesMax / 1_000_000} MB`);
    chunks.push(chunk);
  }
  return new Uint8Array(Buffer.concat(chunks));
};

/** @param file Telegram's id of it. @throws ProtocolError, UnavailableError (retryable) */
export const fetchTelegramFile = async (
  { token, apiRoot }: TelegramClientConfig,
  client: TelegramClient,
  file: string,
  bytesMax: number,
): Promise<Uint8Array<ArrayBuffer>> => {
  const path = pathOf(await client.call('getFile', { file_id: file }, { timeoutMs: GET_FILE_TIMEOUT_MS }));
  try {
    const response = await fetch(`${apiRoot.replace(/\/+$/, '')}/file/bot${token}/${path}`, {
      headers: { connection: 'close' },
      redirect: 'error',
      signal: AbortSignal.timeout(FILE_TIMEOUT_MS),
    });
    if (response.status === 200) return await readBounded(response, bytesMax);
    await response.body?.cancel();
    if (response.status >= 500 || response.status === 429)
      throw new UnavailableError(`Telegram did not give the file (${response.status}); send it again later`);
    throw new ProtocolError(`Telegram does not give the file (${response.status})`);
  } catch (error) {
    if (error instanceof ProtocolError || error instanceof UnavailableError) throw error;
    const outcome = classifyFetchFailure(error);
    throw new UnavailableError(`${'reason' in outcome ? outcome.reason : ''}; send it again later`);
  }
};
