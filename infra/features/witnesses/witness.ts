/**
 * A witness (C2SP tlog-witness): cosigns checkpoints of the logs it knows, if each only adds to the
 * last. Its file is replaced before it answers, and nothing in between waits: requests are worked
 * on one by one.
 */
import { randomBytes, sign } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { ConfigError, ProtocolError } from '../../../lib/core/base/errors.ts';
import { readJson } from '../../../lib/core/base/json.ts';
import { KIB, SECOND_MS } from '../../../lib/core/base/limits.ts';
import { parseCheckpoint, type SignedCheckpoint } from '../../../lib/core/evidence/checkpoint.ts';
import { buildCosignature, buildWitnessKey, cosignedText } from '../../../lib/core/evidence/cosignature.ts';
import { EMPTY_RANGE, isSameHash, rootOf } from '../../../lib/core/evidence/merkle.ts';
import { verifyConsistency } from '../../../lib/core/evidence/proofs.ts';
import { renderNote, signersOf, type VerifierKey } from '../../../lib/core/evidence/signed-note.ts';
import { privateKeyOf, publicBytesOf } from '../../../lib/core/evidence/signing-key.ts';
import { replaceFile } from '../../local/data-folder.ts';

/** A checkpoint of 16 KiB, and a proof of 63 hashes. */
const REQUEST_BYTES_MAX = 20 * KIB;
const REQUEST_MS_MAX = 10 * SECOND_MS;
const CONNECTIONS_MAX = 64;
const PROOF_HASHES_MAX = 63;

const State = z.object({
  v: z.literal(1),
  /** By origin; the root in base64. */
  logs: z.record(z.string(), z.object({ size: z.int().check(z.nonnegative()), root: z.string() })),
});

interface WitnessResponse {
  readonly status: number;
  readonly body: string;
  readonly type?: string;
}

export interface Witness {
  readonly key: VerifierKey;
  readonly addCheckpoint: (body: string) => WitnessResponse;
}

interface Request {
  readonly old: number;
  readonly proof: readonly Uint8Array[];
  readonly checkpoint: SignedCheckpoint;
}

/** @throws ProtocolError for any other form */
const parseRequest = (body: string): Request => {
  const split = body.indexOf('\n\n');
  const [first = '', ...lines] = body.slice(0, Math.max(split, 0)).split('\n');
  const old = /^old (0|[1-9]\d{0,15})$/.exec(first)?.[1];
  const proof = lines.map((line) => Buffer.from(line, 'base64'));
  const isProof = proof.every((hash, n) => hash.length === 32 && hash.toString('base64') === lines[n]);
  if (split < 0 || old === undefined || !isProof || proof.length > PROOF_HASHES_MAX)
    throw new ProtocolError('this is not an add-checkpoint request');
  return { old: Number(old), proof, checkpoint: parseCheckpoint(body.slice(split + 2)) };
};

/** @throws ConfigError if it is there and cannot be read: a fresh one would forget what was seen */
const loadState = (file: string): z.infer<typeof State> => {
  if (!existsSync(file)) return { v: 1, logs: {} };
  const parsed = State.safeParse(readJson(readFileSync(file, 'utf8')));
  if (!parsed.success) throw new ConfigError([`${file} cannot be read: put a copy of it back`]);
  return parsed.data;
};

/** The 32 bytes of its key, made at the first start. */
const loadSeed = (folder: string): Buffer => {
  const file = join(folder, 'witness.key');
  if (!existsSync(file)) replaceFile(file, `${randomBytes(32).toString('base64')}\n`);
  return Buffer.from(readFileSync(file, 'utf8').trim(), 'base64');
};

/** @param logs keys of the logs that it knows. @throws ConfigError, ProtocolError (the name) */
export const openWitness = (folder: string, name: string, logs: readonly VerifierKey[], now: () => number): Witness => {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, 'witness.json');
  const state = loadState(file);
  const secret = privateKeyOf(loadSeed(folder));
  const key = buildWitnessKey(name, publicBytesOf(secret));

  const judge = ({ old, proof, checkpoint }: Request): WitnessResponse | undefined => {
    const { origin, size, root, note } = checkpoint;
    const known = logs.filter((log) => log.name === origin);
    if (known.length === 0) return { status: 404, body: 'this log is not known here\n' };
    try {
      if (signersOf(note, known).length === 0) return { status: 403, body: 'no known key signed it\n' };
    } catch {
      return { status: 403, body: 'a signature does not fit\n' };
    }
    if (old > size) return { status: 400, body: 'the old size is larger than the new one\n' };
    const seen = state.logs[origin] ?? { size: 0, root: Buffer.from(rootOf(EMPTY_RANGE)).toString('base64') };
    if (old !== seen.size) return { status: 409, body: `${seen.size}\n`, type: 'text/x.tlog.size' };
    const isEmptyRight = size > 0 || isSameHash(root, rootOf(EMPTY_RANGE));
    const isGrown = verifyConsistency(old, size, proof, Buffer.from(seen.root, 'base64'), root);
    return isEmptyRight && isGrown ? undefined : { status: 422, body: 'it does not continue what was seen\n' };
  };

  const addCheckpoint = (body: string): WitnessResponse => {
    let request: Request;
    try {
      request = parseRequest(body);
    } catch {
      return { status: 400, body: 'this is not an add-checkpoint request\n' };
    }
    const refusal = judge(request);
    if (refusal !== undefined) return refusal;
    const { origin, size, root, note } = request.checkpoint;
    state.logs[origin] = { size, root: Buffer.from(root).toString('base64') };
    replaceFile(file, `${JSON.stringify(state)}\n`);
    const seconds = Math.floor(now() / 1000);
    const signature = sign(null, Buffer.from(cosignedText(note.text, seconds)), secret);
    const line = renderNote({ text: note.text, signatures: [buildCosignature(key, seconds, signature)] });
    return { status: 200, body: line.slice(note.text.length + 1) };
  };
  return { key, addCheckpoint };
};

/** Serves `POST /add-checkpoint`, and nothing else. */
export const serveWitness = async ({ addCheckpoint }: Witness, port: number, host: string): Promise<Server> => {
  const server = createServer((request, response) => {
    const reply = ({ status, body, type = 'text/plain; charset=utf-8' }: WitnessResponse): void => {
      response.writeHead(status, { 'content-type': type }).end(body);
    };
    if (request.method !== 'POST' || request.url !== '/add-checkpoint') return reply({ status: 404, body: '' });
    const parts: Buffer[] = [];
    let bytes = 0;
    request.on('data', (part: Buffer) => {
      bytes += part.length;
      if (bytes > REQUEST_BYTES_MAX) request.destroy();
      else parts.push(part);
    });
    request.on('end', () => {
      try {
        reply(addCheckpoint(Buffer.concat(parts).toString()));
      } catch {
        // The disk is full, or the folder gone: nothing is signed that was not stored.
        reply({ status: 500, body: '' });
      }
    });
  });
  server.requestTimeout = REQUEST_MS_MAX;
  server.maxConnections = CONNECTIONS_MAX;
  server.listen(port, host);
  await once(server, 'listening');
  return server;
};
