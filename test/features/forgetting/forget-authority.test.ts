/**
 * Forgetting and what permits (I14): grants in force and actions that wait are never touched, and
 * named where they hold the words; a grant that has ended loses them. And what no link leads to:
 * long outputs kept beside their effects, and turns that only a person knows to be about it.
 */
import { afterAll, describe, expect, it } from 'vitest';
import { loadGrants } from '../../../lib/core/approvals/grants.ts';
import type { JsonObject } from '../../../lib/core/base/json.ts';
import type { Payload } from '../../../lib/core/signal/signal.ts';
import { indexPartitions, signalKeys } from '../../../lib/core/store/keys.ts';
import { BUILT_IN_FILES } from '../../../lib/features/skills/built-in-files.ts';
import { sha256Of } from '../../../lib/features/skills/skill-files.ts';
import { putSkill } from '../../../lib/features/skills/skill-store.ts';
import { buildLogWorld, keyOf } from '../../core/log/log-world.ts';
import { startDynamo } from '../../support/dynamo.ts';
import { findWords } from '../../support/scan.ts';
import { signalWith } from '../../support/simulation.ts';
import { makeJob, sampleJob } from '../jobs/sample-job.ts';
import { definitionOf, skillText } from '../skills/skill-world.ts';

const dynamo = await startDynamo();
afterAll(dynamo.stop);

const SECRET = 'the violet heron nests behind the mill';

/** The model calls what the test wants next, once for each message. */
const buildWorld = () => {
  let wish: { readonly name: string; readonly args: JsonObject } | undefined;
  const log = buildLogWorld(dynamo, {
    webhookUrls: { notes: 'https://notes.example/' },
    answer: () => {
      const call = wish;
      wish = undefined;
      if (call === undefined) return { content: 'Done.' };
      const argumentsText = JSON.stringify({
        ...call.args,
        explanation: 'the owner asked for exactly this, in these words',
      });
      return { toolCalls: [{ id: 'call-1', name: call.name, argumentsText }] };
    },
  });
  const { simulation, space } = log;
  let n = 0;
  const send = async (payload: Payload): Promise<string> => {
    n += 1;
    await simulation.accept(signalWith(space, `tg-1-${n}`, payload, '7', simulation.now()));
    await simulation.drain();
    return `tg-1-${n}`;
  };
  const command = async (line: string): Promise<string> => {
    const before = simulation.sent.length;
    const [name = '', ...rest] = line.slice(1).split(' ');
    await send({ sensor: 'command', name, rest: rest.join(' ') });
    return simulation.sent
      .slice(before)
      .map(({ text }) => text)
      .join('\n');
  };
  /** A message upon which the model makes that call, and what a person says to the card. */
  const talk = async (text: string, name: string, args: JsonObject, decision?: 'approve' | 'allow-similar') => {
    wish = { name, args };
    const id = await send({ sensor: 'chat-message', text: [{ text, origin: 'owner' }] });
    if (decision === undefined) return id;
    const partition = indexPartitions.pendingApprovals(space);
    const { items } = await dynamo.table.queryIndex({ index: 'unfinished', partition, limit: 1, isDescending: true });
    const approvalId = String(items[0]?.pk).split('#').at(-1) ?? '';
    const card = items[0] === undefined ? {} : { card: { chat: '7', message: 1 } };
    await send({ sensor: 'approval-decision', approvalId, decision, ...card });
    return id;
  };
  const holding = (words = SECRET): Promise<readonly string[]> => findWords(dynamo, space, words);
  const remember = async (): Promise<string> => {
    await command(`/remember ${SECRET}`);
    return (await log.memory.list({ limit: 1 })).objects[0]?.id ?? '';
  };
  const grants = () => loadGrants(dynamo.table, space);
  return { ...log, send, command, talk, holding, remember, grants };
};

const HOOK = { webhook: 'notes', body: { note: SECRET } };

const MINUTE = 60_000;

const learningJob = (from: number) => {
  const text = BUILT_IN_FILES.learning?.find(({ path }) => path === 'runbook.yaml')?.text ?? '';
  const work = { kind: 'runbook', runbook: 'learning', hash: sha256Of(text), inputs: {} } as const;
  return sampleJob({ name: 'learning', when: { kind: 'every', minutes: 1_440, from }, work, promises: 'nothing' });
};

describe('forgetting and grants', () => {
  it('names a grant in force and leaves it whole; once it is revoked, forgetting again leaves no word', async () => {
    const here = buildWorld();
    const id = await here.remember();
    await here.talk('send the note on the violet heron', 'call-webhook', HOOK, 'allow-similar');
    const [grant] = await here.grants();
    expect(grant?.args).toStrictEqual(HOOK);
    const said = await here.command(`/forget ${id}`);
    expect(said).toContain(
      `These grants hold the same words: ${grant?.id}. To take one back: /revoke <id>; then forget again.`,
    );
    expect(await here.grants()).toStrictEqual([grant]);
    expect(await here.holding()).toStrictEqual([`grant#${here.space}#${grant?.id} record`]);
    await here.command(`/revoke ${grant?.id}`);
    await here.command(`/forget ${id}`);
    expect(await here.holding()).toStrictEqual([]);
    await here.run();
    expect(await here.verify({ key: keyOf(here.space) })).toMatchObject({ status: 'verified' });
  });

  it('takes the words from a grant that has ended, at once', async () => {
    const here = buildWorld();
    const id = await here.remember();
    await here.talk('send the note on the violet heron', 'call-webhook', HOOK, 'allow-similar');
    const [grant] = await here.grants();
    await here.command(`/revoke ${grant?.id}`);
    expect(await here.command(`/forget ${id}`)).not.toContain('grants in force');
    expect(await here.holding()).toStrictEqual([]);
  });

  it('takes the words from what was learned of them, and from a learned grant once it has ended', async () => {
    const here = buildWorld();
    const id = await here.remember();
    const now = here.simulation.now();
    await makeJob(dynamo.table, here.space, learningJob(now + 10 * MINUTE), now);
    for (let n = 0; n < 3; n += 1)
      await here.talk('send the note on the violet heron', 'call-webhook', HOOK, 'approve');
    here.simulation.advance(10 * MINUTE);
    await here.simulation.tickJobs();
    await here.simulation.drain();
    await here.talk('yes, learn it', 'current-time', {}, 'approve');
    const [grant] = await here.grants();
    expect(grant?.args).toStrictEqual(HOOK);
    expect(await here.command(`/forget ${id}`)).toContain(`These grants hold the same words: ${grant?.id}.`);
    expect(await here.holding()).toStrictEqual([`grant#${here.space}#${grant?.id} record`]);
    await here.command(`/revoke ${grant?.id}`);
    await here.command(`/forget ${id}`);
    expect(await here.holding()).toStrictEqual([]);
  });

  it('names an action that waits in a turn no link leads to, by its signal and never by its capability', async () => {
    const here = buildWorld();
    const id = await here.remember();
    const signal = await here.talk('do it', 'call-webhook', HOOK);
    const [item] = (
      await dynamo.table.queryIndex({
        index: 'unfinished',
        partition: indexPartitions.pendingApprovals(here.space),
        limit: 1,
      })
    ).items;
    const said = await here.command(`/forget ${id}`);
    expect(said).toContain(`These waiting actions hold the same words: ${signal}#0.`);
    expect(said).not.toContain(String(item?.pk).split('#').at(-1));
    const [stored] = await dynamo.table.load([{ pk: String(item?.pk), sk: String(item?.sk) }], { isConsistent: true });
    expect(stored).toMatchObject({ state: 'pending', action: { args: HOOK } });
  });
});

/** Prints the words behind more than is shown at once, and does not hold them itself. */
const LONG = `console.log('-'.repeat(20000) + ' ' + ${JSON.stringify(SECRET.split(' '))}.join(' '))`;
const PROGRAM = { language: 'javascript', code: LONG };

describe('forgetting and long outputs', () => {
  it('erases one that was kept in a turn in which the note was shown', async () => {
    const here = buildWorld();
    const id = await here.remember();
    const signal = await here.talk('print what you know of the violet heron', 'run-code', PROGRAM, 'approve');
    const key = signalKeys.output(here.space, signal, 0);
    expect((await dynamo.table.load([key]))[0]?.text).toContain(SECRET);
    await here.command(`/forget ${id}`);
    expect(await here.holding()).toStrictEqual([]);
    expect((await dynamo.table.load([key]))[0]).toMatchObject({ text: '[forgotten]', chars: 11 });
  });

  it('names the turn where no link leads to one, and erases it once a person names it', async () => {
    const here = buildWorld();
    const id = await here.remember();
    const signal = await here.talk('print it', 'run-code', PROGRAM, 'approve');
    const said = await here.command(`/forget ${id}`);
    const [, named] = /left as they are: (\S+)\.\n/.exec(said) ?? [];
    expect(named?.split('/')[0]).toBe(signal);
    expect(await here.holding()).toStrictEqual([`signal#${here.space}#${signal} output#0`]);
    await here.command(`/forget ${id} ${named}`);
    expect(await here.holding()).toStrictEqual([]);
    await here.run();
    expect(await here.verify({ key: keyOf(here.space) })).toMatchObject({ status: 'verified' });
  });
});

describe('forgetting what a person names', () => {
  it('erases a turn that says it in other words, and the log covers it, also where it was written before', async () => {
    const here = buildWorld();
    const id = await here.remember();
    const other = await here.send({
      sensor: 'chat-message',
      text: [{ text: 'that purple bird at the wheel', origin: 'owner' }],
    });
    await here.command(`/forget ${id}`);
    await here.run();
    expect(await here.holding('purple bird')).not.toStrictEqual([]);
    expect(await here.command(`/forget ${id} ${other} tg-1-999`)).toContain(`Forgotten: ${id}.`);
    expect(await here.holding('purple bird')).toStrictEqual([]);
    await here.run();
    expect(await here.verify({ key: keyOf(here.space) })).toMatchObject({ status: 'verified' });
  });

  it('refuses what is no id of a signal', async () => {
    const here = buildWorld();
    const id = await here.remember();
    expect(await here.command(`/forget ${id} all of it`)).not.toContain('Forgotten');
    expect(await here.memory.load(id)).toMatchObject({ state: 'live' });
  });
});

describe('forgetting and what stands', () => {
  it('names jobs and skills that hold the words, and leaves them whole', async () => {
    const here = buildWorld();
    const id = await here.remember();
    const now = here.simulation.now();
    const when = { kind: 'every', minutes: 60, from: now + 3_600_000 } as const;
    const prompt = { kind: 'prompt', text: `Look whether ${SECRET}.` } as const;
    await makeJob(dynamo.table, here.space, sampleJob({ when, work: prompt }), now);
    await makeJob(dynamo.table, here.space, sampleJob({ name: 'other', when }), now);
    const source = { space: here.space, by: 'telegram:7', now, signalId: 'tg-1-0' };
    for (const [name, body] of [['heron', `Know that ${SECRET}.`] as const, ['tide', 'Look at the sea.'] as const])
      await putSkill(dynamo.table, source, {
        definition: definitionOf(name),
        files: [skillText(name, body)],
        trust: 'outside',
      });
    const before = await here.holding();
    const said = await here.command(`/forget ${id}`);
    expect(said).toContain('These jobs hold the same words: morning. ');
    expect(said).toContain('These skills hold the same words: heron. ');
    const kept = (await here.holding()).filter((place) => /^(job|skill)#/.test(place));
    expect(kept).toStrictEqual(before.filter((place) => /^(job|skill)#/.test(place)));
    expect(kept.length).toBeGreaterThan(2);
  });
});
