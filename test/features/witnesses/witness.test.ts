/** The witness as C2SP tlog-witness says it, and as the log's writer asks it. */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openWitness, serveWitness, type Witness } from '../../../infra/features/witnesses/witness.ts';
import { MINUTE_MS } from '../../../lib/core/base/limits.ts';
import { parseCheckpoint } from '../../../lib/core/evidence/checkpoint.ts';
import { cosignersOf, renderWitnessKey } from '../../../lib/core/evidence/cosignature.ts';
import { appendLeaves, EMPTY_RANGE, leafHash, type NodeRef, rootOf } from '../../../lib/core/evidence/merkle.ts';
import { buildProof, consistencyNodes } from '../../../lib/core/evidence/proofs.ts';
import { buildVerifierKey, parseNote } from '../../../lib/core/evidence/signed-note.ts';
import { buildSigningKey, signCheckpoint } from '../../../lib/core/evidence/signing-key.ts';
import { verifyReceipt } from '../../../lib/core/evidence/verifier/verify-receipt.ts';
import { GATE_SET } from '../../../lib/core/gates/engine/gate-set.ts';
import { buildFileAnchors } from '../../../lib/core/log/anchor.ts';
import { loadCheckpoint, loadLogHead } from '../../../lib/core/log/read-log.ts';
import { buildWriter } from '../../../lib/core/stages/upkeep/writer.ts';
import { buildReceipt } from '../../../lib/features/receipts/receipt.ts';
import { parseWitnesses } from '../../../lib/features/witnesses/ask-witnesses.ts';
import { cosignByWitnesses } from '../../../lib/features/witnesses/cosign.ts';
import { WITNESS_VIEWS } from '../../../lib/features/witnesses/witness-problems.ts';
import { buildLogWorld, keyOf, OTHER_SECRET, SECRET, signersOf } from '../../core/log/log-world.ts';
import { startDynamo, type TestDynamo } from '../../support/dynamo.ts';
import { inEnglish } from '../../support/findings.ts';

const ORIGIN = 'passepartout/default';
const KEY = buildSigningKey(ORIGIN, Buffer.alloc(32, 1));
const OTHER = buildSigningKey(ORIGIN, Buffer.alloc(32, 2));
const NOW = 1_790_000_000_000;

const folder = mkdtempSync(join(tmpdir(), 'passepartout-witness-'));
let dynamo: TestDynamo;
const servers: Server[] = [];
beforeAll(async () => {
  dynamo = await startDynamo();
});
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await dynamo.stop();
});

const leaves = Array.from({ length: 40 }, (_, n) => leafHash(Buffer.from(`entry ${n}`)));
const forked = leaves.with(3, leafHash(Buffer.from('another')));
const noteOf = (size: number, key = KEY, all = leaves): string =>
  signCheckpoint({ origin: ORIGIN, size, root: rootOf(appendLeaves(EMPTY_RANGE, all.slice(0, size))) }, [key]);
const hashAt = ({ level, index }: NodeRef) =>
  rootOf(appendLeaves(EMPTY_RANGE, leaves.slice(index * 2 ** level, (index + 1) * 2 ** level)));
const proofOf = (old: number, size: number): readonly string[] =>
  buildProof(consistencyNodes(old, size), hashAt).map((hash) => Buffer.from(hash).toString('base64'));
const requestOf = (old: number, proof: readonly string[], note: string): string =>
  [`old ${old}`, ...proof, '', note].join('\n');

describe('openWitness', () => {
  const place = join(folder, 'alone');
  const open = (): Witness => openWitness(place, 'witness/alone', [KEY.verifier], () => NOW);

  it('cosigns a log that grows, also after a restart', () => {
    for (const [old, size] of [
      [0, 5],
      [5, 5],
      [5, 32],
      [32, 33],
    ] as const) {
      const { key, addCheckpoint } = open();
      const note = noteOf(size);
      const answer = addCheckpoint(requestOf(old, proofOf(old, size), note));
      expect(answer.status).toBe(200);
      expect(cosignersOf(parseNote(`${note}${answer.body}`), [key])).toStrictEqual([{ key, at: NOW }]);
    }
    const { root } = parseCheckpoint(noteOf(33));
    const kept = { v: 1, logs: { [ORIGIN]: { size: 33, root: Buffer.from(root).toString('base64') } } };
    expect(JSON.parse(readFileSync(join(place, 'witness.json'), 'utf8'))).toStrictEqual(kept);
  });

  const stranger = buildSigningKey('passepartout/other', Buffer.alloc(32, 3));
  it.each<[status: number, what: string, body: string]>([
    [400, 'something else', 'hello'],
    [400, 'a size that is no number', requestOf(33, [], noteOf(34)).replace('old 33', 'old 033')],
    [400, 'an old size above the new one', requestOf(34, [], noteOf(33))],
    [403, 'a checkpoint by another key', requestOf(33, proofOf(33, 34), noteOf(34, OTHER))],
    [403, 'a wrong signature', requestOf(33, proofOf(33, 34), noteOf(34).replace('\n34\n', '\n35\n'))],
    [
      404,
      'a log that it does not know',
      requestOf(0, [], signCheckpoint({ ...parseCheckpoint(noteOf(5)), origin: 'passepartout/other' }, [stranger])),
    ],
    [409, 'another old size', requestOf(5, proofOf(5, 34), noteOf(34))],
    [422, 'a proof that does not hold', requestOf(33, proofOf(32, 34), noteOf(34))],
    [422, 'no proof', requestOf(33, [], noteOf(34))],
    [422, 'a log that was rewritten', requestOf(33, proofOf(33, 34), noteOf(34, KEY, forked))],
    [422, 'another root of the same size', requestOf(33, [], noteOf(33, KEY, forked))],
  ])('answers %i to %s', (status, _what, body) => {
    const answer = open().addCheckpoint(body);
    expect(answer).toMatchObject({ status, ...(status === 409 ? { body: '33\n', type: 'text/x.tlog.size' } : {}) });
    expect(answer.body).not.toContain('—');
  });

  it('does not start with a file that it cannot read: a fresh one would forget what it saw', () => {
    writeFileSync(join(place, 'witness.json'), '{"v":1,"lo');
    expect(open).toThrow('cannot be read');
  });
});

const { noted } = WITNESS_VIEWS;

const buildWorld = (clock: { ms: number }) => {
  const world = buildLogWorld(dynamo);
  const { space } = world;
  const log: string[] = [];
  const start = (witnesses: string) => {
    const write = buildWriter({
      table: dynamo.table,
      space,
      readSecrets: async () => new Map([['LOG_SIGNING_KEY', SECRET]]),
      wake: async () => undefined,
      anchors: buildFileAnchors(join(folder, space), space),
      loadCosigner: cosignByWitnesses({ WITNESSES: witnesses }),
      loadGateSet: async () => GATE_SET,
      log: (_level, event, fields) => log.push(`${event} ${Object(fields).problem ?? ''}`.trim()),
      now: () => world.simulation.now() + clock.ms,
    });
    const message = { stage: 'log', v: 1, space, round: 0 } as const;
    return () =>
      write(
        message,
        () => 60_000,
        () => undefined,
      );
  };
  return {
    ...world,
    log,
    start,
    note: async () => {
      const size = (await loadLogHead(dynamo.table, space))?.checkpointSize ?? 0;
      return parseNote((await loadCheckpoint(dynamo.table, space, size)) ?? '');
    },
    problems: async () => inEnglish(noted.find((await dynamo.table.load([noted.key(space)]))[0])),
  };
};

const serve = async (witness: Witness, port = 0): Promise<{ readonly url: string; readonly port: number }> => {
  const server = await serveWitness(witness, port, '127.0.0.1');
  servers.push(server);
  const address = server.address();
  const given = typeof address === 'object' && address !== null ? address.port : 0;
  return { url: `http://127.0.0.1:${given}`, port: given };
};
const settingOf = (entries: readonly (readonly [Witness, string])[]): string =>
  JSON.stringify(Object.fromEntries(entries.map(([{ key }, url]) => [renderWitnessKey(key), url])));

describe("the log's writer", () => {
  it('has each checkpoint cosigned, a new process too; the anchor, an export and a receipt carry it', async () => {
    const world = buildWorld({ ms: 0 });
    const { space, say, start, note } = world;
    const witness = openWitness(
      join(folder, `${space}-w`),
      'witness/one',
      [signersOf(space).current.verifier],
      () => NOW,
    );
    const witnesses = settingOf([[witness, (await serve(witness)).url]]);
    const run = start(witnesses);
    for (const text of ['one', 'two', 'three']) {
      await say(text);
      await run();
      expect(cosignersOf(await note(), [witness.key])).toHaveLength(1);
    }
    const id = await say('four');
    await start(witnesses)();
    expect(cosignersOf(await note(), [witness.key])).toHaveLength(1);
    const anchored = readFileSync(join(folder, space, `${space}.txt`), 'utf8');
    expect(cosignersOf(parseNote(anchored), [witness.key])).toHaveLength(1);
    expect(await world.problems()).toStrictEqual([]);

    const demand = { key: keyOf(space), witnesses: [witness.key], atLeast: 1 };
    expect(await world.verify(demand)).toMatchObject({ status: 'verified' });
    const receipt = JSON.stringify(await buildReceipt(dynamo.table, space, `${id}#0`, true));
    expect(verifyReceipt(receipt, demand)).toMatchObject({ status: 'verified', cosigned: [{ at: NOW }] });
    const absent = { ...witness.key, name: 'witness/two' };
    const more = { ...demand, witnesses: [witness.key, absent], atLeast: 2 };
    expect(await world.verify(more)).toMatchObject({ status: 'incomplete' });
    expect(verifyReceipt(receipt, more)).toMatchObject({ status: 'incomplete', missing: 1 });
  });

  it('leaves a witness alone that is away, says so, and has the same checkpoint cosigned later', async () => {
    const clock = { ms: 0 };
    const { space, say, start, note, problems } = buildWorld(clock);
    const witness = openWitness(
      join(folder, `${space}-w`),
      'witness/away',
      [signersOf(space).current.verifier],
      () => NOW,
    );
    const { url, port } = await serve(witness);
    servers.pop()?.close();
    await say('hello');
    const run = start(settingOf([[witness, url]]));
    await run();
    expect(await problems()).toStrictEqual([expect.stringContaining('the witness witness/away does not answer')]);
    await serve(witness, port);
    await run();
    expect(cosignersOf(await note(), [witness.key])).toHaveLength(0);
    clock.ms = MINUTE_MS;
    await run();
    expect(cosignersOf(await note(), [witness.key])).toHaveLength(1);
    expect(await problems()).toStrictEqual([]);
  });

  it.each<[what: string, says: string, answer: (witness: Witness, space: string) => Witness['addCheckpoint']]>([
    ['knows another key of the log', 'it answers 403', ({ addCheckpoint }) => addCheckpoint],
    ['has seen a longer log', 'it has seen 99 leaves', () => () => ({ status: 409, body: '99\n' })],
    [
      'names another size each time',
      'it names another size',
      () => (body) => ({ status: 409, body: body.startsWith('old 0') ? '1\n' : '0\n' }),
    ],
    ['finds that the log was rewritten', 'does not continue', () => () => ({ status: 422, body: '' })],
    [
      'signs something else',
      'the cosignature of witness/odd does not fit',
      ({ key }) =>
        () => ({
          status: 200,
          body: `— ${key.name} ${Buffer.concat([Buffer.from(key.id, 'hex'), Buffer.alloc(72)]).toString('base64')}\n`,
        }),
    ],
  ])('raises an alarm if the witness %s', async (_what, says, answer) => {
    const { space, say, start, problems, log } = buildWorld({ ms: 0 });
    const other = buildVerifierKey(`passepartout/${space}`, signersOf(space, OTHER_SECRET).current.verifier.publicKey);
    const witness = openWitness(join(folder, `${space}-w`), 'witness/odd', [other], () => NOW);
    const { url } = await serve({ ...witness, addCheckpoint: answer(witness, space) });
    await say('hello');
    const run = start(settingOf([[witness, url]]));
    await run();
    await run();
    expect(await problems()).toStrictEqual([expect.stringContaining(says)]);
    expect(log.filter((line) => line.startsWith('witness-refused'))).toStrictEqual([expect.stringContaining(says)]);
  });
});

describe('parseWitnesses', () => {
  const key = 'witness.example/one+c718abff+BP0XJDhaoMdbZPt4zWAvodmR/ev3axPFjtcC6sg16fYY';
  it.each([
    ['{}', 0],
    [`{"${key}":"https://w.example/log/"}`, 1],
  ])('reads %s', (text, count) => {
    expect(parseWitnesses(text)).toHaveLength(count);
  });
  it.each(['[]', 'x', '{"a":"b"}', `{"${key}":"ftp://w.example"}`, `{"${key}":"w.example"}`])('refuses %s', (text) => {
    expect(parseWitnesses(text)).toMatch(/^must be JSON/);
  });
});
