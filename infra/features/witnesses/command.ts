/** `witness`: runs a small witness on this machine, for the logs whose keys it is given. */
import { hostname } from 'node:os';
import { resolve } from 'node:path';
import { PassepartoutError } from '../../../lib/core/base/errors.ts';
import { renderWitnessKey } from '../../../lib/core/evidence/cosignature.ts';
import { parseVerifierKey } from '../../../lib/core/evidence/signed-note.ts';
import type { Command } from '../../cli/command.ts';
import { CliError, causeOf, EXIT } from '../../cli/terminal.ts';
import { openWitness, serveWitness } from './witness.ts';

const DEFAULT_PORT = 8097;
const USAGE = 'usage: npx passepartout witness --log <public key> [--folder <folder>] [--port 8097] [--host 127.0.0.1]';

export const witness: Command = {
  name: 'witness',
  usage: '',
  summary: 'cosign the checkpoints of logs on this machine, as long as each log only grows',
  options: {
    log: { type: 'string', value: 'key', multiple: true, help: 'what "evidence key" prints; several may be given' },
    folder: { type: 'string', value: 'folder', help: 'where its key is, and what it has seen (default: witness)' },
    name: { type: 'string', value: 'name', help: "its name in cosignatures (default: witness/<this machine's name>)" },
    port: { type: 'string', value: 'port', help: `where it listens (default: ${DEFAULT_PORT})` },
    host: { type: 'string', value: 'address', help: 'who reaches it (default: 127.0.0.1, this machine alone)' },
  },
  argCount: [0, 0],
  run: async ({ text, texts, folder, terminal, now }) => {
    const [host, port] = [text('host') ?? '127.0.0.1', Number(text('port') ?? DEFAULT_PORT)];
    if (texts('log').length === 0 || !Number.isInteger(port)) throw new CliError(EXIT.usage, 'it needs --log', USAGE);
    try {
      const logs = texts('log').map((key) => parseVerifierKey(key));
      const name = text('name') ?? `witness/${hostname()}`;
      const opened = openWitness(resolve(folder, text('folder') ?? 'witness'), name, logs, now);
      const server = await serveWitness(opened, port, host);
      const address = server.address();
      const at = `http://${host}:${typeof address === 'object' ? address?.port : port}`;
      terminal.line(`cosigns ${logs.map((log) => log.name).join(', ')} at ${at}`);
      terminal.line(`for the log's owner: WITNESSES='${JSON.stringify({ [renderWitnessKey(opened.key)]: at })}'`);
      await new Promise((ended) => server.once('close', ended));
      return EXIT.ok;
    } catch (error) {
      if (error instanceof PassepartoutError) throw new CliError(EXIT.usage, causeOf(error), USAGE);
      if (error instanceof Error && 'code' in error) throw new CliError(EXIT.failed, causeOf(error));
      throw error;
    }
  },
};
