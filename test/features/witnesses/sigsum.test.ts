/**
 * A witness nobody here wrote: `sigsum-witness` of a checkout of sigsum-go (v0.9.1), which
 * `SIGSUM_GO` names, built with Debian's Go and packages. It cosigns the tree of our log over HTTP,
 * also after a restart, and refuses a rewritten one. It knows logs of Sigsum's own names alone, so
 * checkpoints are signed under such a name here. Without Go or a checkout it says so and skips.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parseCheckpoint } from '../../../lib/core/evidence/checkpoint.ts';
import { buildWitnessKey, cosignersOf, renderWitnessKey } from '../../../lib/core/evidence/cosignature.ts';
import { leafHash } from '../../../lib/core/evidence/merkle.ts';
import { parseNote } from '../../../lib/core/evidence/signed-note.ts';
import {
  buildSigningKey,
  privateKeyOf,
  publicBytesOf,
  signCheckpoint,
} from '../../../lib/core/evidence/signing-key.ts';
import { loadCheckpoint, loadLogHead } from '../../../lib/core/log/read-log.ts';
import { logKeys } from '../../../lib/core/store/keys.ts';
import { buildWitnesses } from '../../../lib/features/witnesses/ask-witnesses.ts';
import { buildLogWorld } from '../../core/log/log-world.ts';
import { startDynamo, type TestDynamo } from '../../support/dynamo.ts';
import { freePort } from '../../support/listening.ts';
import { until } from '../../support/stack.ts';

const { SIGSUM_GO: checkout = '' } = process.env;
const DEBIAN = '/usr/share/gocode';
const PACKAGES = ['dchest/safefile', 'pborman/getopt'].map((name) => `${DEBIAN}/src/github.com/${name}`);
const hasGo = PACKAGES.every((path) => existsSync(path)) && spawnSync('go', ['version']).status === 0;
const hasCheckout = existsSync(join(checkout, 'cmd/sigsum-witness/sigsum-witness.go'));
const NOT_RUN = hasGo
  ? 'SIGSUM_GO names no checkout of sigsum-go'
  : 'Go is missing: apt-get install golang golang-github-dchest-safefile-dev golang-github-pborman-getopt-dev';

/** Debian's Go 1.19 lacks this one function. Newer ones take the checkout as it is. */
const OF_GO_1_20 = ['pkg/requests/witness.go', 'strings.CutPrefix(s, "old ")'] as const;
const WRITTEN_OUT = 'strings.TrimPrefix(s, "old "), strings.HasPrefix(s, "old ")';

const SEED = Buffer.alloc(32, 7);
const folder = mkdtempSync(join(tmpdir(), 'passepartout-sigsum-'));
const file = (name: string): string => join(folder, name);
let dynamo: TestDynamo;
let program: ChildProcess | undefined;
beforeAll(async () => {
  dynamo = await startDynamo();
});
afterAll(async () => {
  program?.kill();
  await dynamo?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const build = (): void => {
  const source = file('go/src/sigsum.org/sigsum-go');
  cpSync(checkout, source, { recursive: true });
  const [path, called] = OF_GO_1_20;
  const text = readFileSync(join(source, path), 'utf8');
  expect(text.split(called)).toHaveLength(2);
  writeFileSync(join(source, path), text.replace(called, WRITTEN_OUT));
  const env = { ...process.env, GOPATH: `${file('go')}:${DEBIAN}`, GO111MODULE: 'off', GOFLAGS: '' };
  const built = spawnSync('go', ['build', '-o', file('witness'), './cmd/sigsum-witness'], { cwd: source, env });
  expect({ status: built.status, stderr: String(built.stderr) }).toStrictEqual({ status: 0, stderr: '' });
};

/** A public key as OpenSSH writes it. */
const sshKey = (bytes: Uint8Array): string => {
  const parts = [Buffer.from('ssh-ed25519'), Buffer.from(bytes)].flatMap((part) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(part.length);
    return [length, part];
  });
  return `ssh-ed25519 ${Buffer.concat(parts).toString('base64')}\n`;
};

it('is cosigned by sigsum-witness as it grows, and refused once it is rewritten', { timeout: 600_000 }, async ({
  skip,
}) => {
  if (!hasGo || !hasCheckout) skip(NOT_RUN);
  build();
  const { space, say, run, simulation } = buildLogWorld(dynamo);
  const logSeed = Buffer.alloc(32, 8);
  const origin = `sigsum.org/v1/tree/${hash('sha256', publicBytesOf(privateKeyOf(logSeed)))}`;
  const signer = buildSigningKey(origin, logSeed);
  const publicKey = publicBytesOf(privateKeyOf(SEED));
  const key = buildWitnessKey(`sigsum.org/v1/witness/${hash('sha256', publicKey)}`, publicKey);
  writeFileSync(file('log.pub'), sshKey(signer.verifier.publicKey));
  writeFileSync(file('witness.key'), `${SEED.toString('hex')}\n`);
  const url = `127.0.0.1:${await freePort()}`;
  const ask = (body: string) => fetch(`http://${url}/add-checkpoint`, { method: 'POST', body });
  const startWitness = async () => {
    const options = ['--signing-key', file('witness.key'), '--log-key', file('log.pub'), '--state-file', file('state')];
    program = spawn(file('witness'), [...options, url], { stdio: 'ignore' });
    await until('it listens', () => ask('').then(Boolean, () => false));
  };
  await startWitness();

  const problems: string[] = [];
  const startWriter = () =>
    buildWitnesses(JSON.stringify({ [renderWitnessKey(key)]: `http://${url}` }), {
      ...{ table: dynamo.table, space, now: simulation.now },
      report: (problem) => problems.push(problem),
    });
  /** Writes what is due, signs its checkpoint under Sigsum's name, and has it cosigned. */
  const grow = async (text: string, { cosign }: ReturnType<typeof startWriter>) => {
    await say(text);
    await run();
    const size = (await loadLogHead(dynamo.table, space))?.checkpointSize ?? 0;
    const { root } = parseCheckpoint((await loadCheckpoint(dynamo.table, space, size)) ?? '');
    const note = signCheckpoint({ origin, size, root }, [signer]);
    await dynamo.table.update(logKeys.checkpoint(space, size), { set: { note } });
    await cosign(size);
    const cosigned = parseNote((await loadCheckpoint(dynamo.table, space, size)) ?? '');
    return { size, count: cosignersOf(cosigned, [key]).length };
  };

  const writer = startWriter();
  const grown = [await grow('one', writer), await grow('two', writer), await grow('three', writer)];
  // A new writer does not know what the witness has seen: it is told, and proves the rest.
  grown.push(await grow('four', startWriter()));
  program?.kill();
  await until('it has ended', () => program?.exitCode !== null || program.signalCode !== null);
  await startWitness();
  grown.push(await grow('five', writer));
  expect([grown.map(({ count }) => count), problems]).toStrictEqual([[1, 1, 1, 1, 1], []]);
  const sizes = grown.map(({ size }) => size);
  expect(new Set(sizes).size).toBe(5);

  const size = sizes.at(-1) ?? 0;
  const forged = signCheckpoint({ origin, size: size + 1, root: leafHash(Buffer.from('another log')) }, [signer]);
  const proof = Array.from({ length: 3 }, () => Buffer.alloc(32, 1).toString('base64'));
  expect((await ask([`old ${size}`, ...proof, '', forged].join('\n'))).status).toBe(422);
  const stranger = signCheckpoint(parseCheckpoint(forged), [buildSigningKey(origin, Buffer.alloc(32, 9))]);
  expect((await ask([`old ${size}`, ...proof, '', stranger].join('\n'))).status).toBe(403);
});
