/** Files of Slack: fetched with the token from Slack's own hosts alone, and sent in three steps. */
import * as z from 'zod/mini';
import { ProtocolError, UnavailableError } from '../../core/base/errors.ts';
import { SECOND_MS } from '../../core/base/limits.ts';
import type { Sendable } from '../chats/files.ts';
import { failureOf, readBounded, type SlackBody, type SlackClient, type SlackOutcome } from './client.ts';

const LOOK_UP_TIMEOUT_MS = 5 * SECOND_MS;
/** Act has a minute for this, the model behind it, and all else. */
const FILE_TIMEOUT_MS = 15 * SECOND_MS;

/** The token and a file's bytes go to no other host than Slack's, or the server of the setting. */
export const isOfSlack = (address: string, apiRoot: string): boolean => {
  const url = URL.parse(address);
  if (url === null) return false;
  const isSafe = url.protocol === 'https:' || url.protocol === 'wss:';
  return url.host === new URL(apiRoot).host || (isSafe && url.hostname.endsWith('.slack.com'));
};

const Info = z.looseObject({ file: z.looseObject({ url_private_download: z.string() }) });

/** @param file Slack's id of it. @throws ProtocolError, UnavailableError (retryable) */
export const fetchSlackFile = async (
  client: SlackClient,
  file: string,
  bytesMax: number,
): Promise<Uint8Array<ArrayBuffer>> => {
  const outcome = await client.call('files.info', { file }, LOOK_UP_TIMEOUT_MS);
  if (outcome.kind === 'refused' && outcome.error !== 'ratelimited')
    throw new ProtocolError(`Slack does not give the file: ${outcome.error}`);
  if (outcome.kind !== 'done') throw new UnavailableError('Slack did not say where the file is; send it again later');
  const address = Info.safeParse(outcome.result).data?.file.url_private_download ?? '';
  if (!isOfSlack(address, client.apiRoot)) throw new ProtocolError('Slack named no place of the file that can be used');
  try {
    const response = await fetch(address, {
      headers: { authorization: `Bearer ${client.token}`, connection: 'close' },
      redirect: 'error',
      signal: AbortSignal.timeout(FILE_TIMEOUT_MS),
    });
    if (response.status === 200) {
      const bytes = await readBounded(response, bytesMax);
      if (bytes === undefined) throw new ProtocolError(`it has more than ${bytesMax / 1_000_000} MB`);
      return bytes;
    }
    await response.body?.cancel();
    if (response.status >= 500 || response.status === 429)
      throw new UnavailableError(`Slack did not give the file (${response.status}); send it again later`);
    throw new ProtocolError(`Slack does not give the file (${response.status})`);
  } catch (error) {
    if (error instanceof ProtocolError || error instanceof UnavailableError) throw error;
    const outcomeOf = failureOf(error);
    throw new UnavailableError(`${'reason' in outcomeOf ? outcomeOf.reason : ''}; send it again later`);
  }
};

const Upload = z.looseObject({ upload_url: z.string(), file_id: z.string() });

/** Until the last step nobody sees the file, so a failure before it sent nothing. */
const unsent = (outcome: SlackOutcome): SlackOutcome =>
  outcome.kind === 'unknown' ? { kind: 'unreached', reason: outcome.reason } : outcome;

/** https://docs.slack.dev/messaging/working-with-files#upload */
export const sendSlackFile = async (
  client: SlackClient,
  { channel, thread_ts }: SlackBody,
  { name, type, content }: Sendable,
): Promise<SlackOutcome> => {
  const bytes = Buffer.from(content);
  const given = await client.call('files.getUploadURLExternal', { filename: name, length: bytes.byteLength });
  const { data } = Upload.safeParse(given.kind === 'done' ? given.result : undefined);
  if (given.kind !== 'done') return unsent(given);
  if (data === undefined || !isOfSlack(data.upload_url, client.apiRoot)) return { kind: 'refused', error: 'no_upload' };
  try {
    const { status } = await fetch(data.upload_url, {
      method: 'POST',
      headers: { 'content-type': type, connection: 'close' },
      body: bytes,
      redirect: 'error',
      signal: AbortSignal.timeout(FILE_TIMEOUT_MS),
    });
    if (status !== 200) return { kind: 'unreached', reason: `Slack did not take the file (${status})` };
  } catch (error) {
    return unsent(failureOf(error));
  }
  const files = [{ id: data.file_id, title: name }];
  return await client.call('files.completeUploadExternal', { files, channel_id: channel, thread_ts });
};
