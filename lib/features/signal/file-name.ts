/** Names a file of a message, and the chat that it came with: signal-cli gives it by both. */
import { ProtocolError } from '../../core/base/errors.ts';

/** @param id of the file at signal-cli */
export const fileNameOf = ({ to }: { readonly to: string }, id: string): string =>
  id === '' ? '' : Buffer.from(`${to} ${id}`).toString('base64url');

/** @throws ProtocolError for the name of no file */
export const parseFileName = (name: string): { readonly to: string; readonly id: string } => {
  const [to = '', id = '', ...rest] = Buffer.from(name, 'base64url').toString('utf8').split(' ');
  if (!/^[\w.-]{1,100}$/.test(id) || rest.length > 0) throw new ProtocolError('this is not the name of a file');
  return { to, id };
};
