/**
 * Jobs as a person meets them on the real stack: made in plain words, read on a card, changed, run,
 * and found again in a history that agrees with what Telegram received.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { jobKeys } from '../../../lib/core/store/keys.ts';
import type { ShownApproval } from '../../../lib/core/verbs/approvals/operations.ts';
import { runCli } from '../../cli/cli-world.ts';
import {
  call,
  type ModelServerRequest,
  type ScriptedAnswer,
  say,
  toolResultsOf,
  userTextOf,
} from '../../support/model-server.ts';
import { APPROVER_TOKEN, signalIdOf, startTestStack, type TestStack, until } from '../../support/stack.ts';

const OWNER = 7001;
const SECRET = `whsec_${Buffer.from('the secret of the source').toString('base64')}`;
const DAY_MS = 86_400_000;
const because = { explanation: 'the owner asked for exactly this job' };
const dayAfter = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);
const TEA_DAY = dayAfter(2);

const stirred = Promise.withResolvers<void>();
let finishComparing = (): void => undefined;
const compared = new Promise<void>((resolve) => {
  finishComparing = resolve;
});

const answer = (request: ModelServerRequest): ScriptedAnswer | Promise<ScriptedAnswer> => {
  const [result] = toolResultsOf(request);
  if (result !== undefined) return say(`It says: ${result}`);
  const asked = userTextOf(request);
  if (asked.includes('remind me')) {
    return call('schedule-job', { name: 'Tea', at: `${TEA_DAY}T09:00`, prompt: 'Say: drink tea.', ...because });
  }
  if (asked.includes('every weekday'))
    return call('schedule-job', { name: 'deploys', cron: '0 8 * * 1-5', prompt: 'Check the deploys.', ...because });
  if (asked.includes('every 2 hours'))
    return call('schedule-job', { name: 'stretch', every: '2h', steps: [{ say: 'Stretch!' }], ...because });
  if (asked.includes('at 9 instead'))
    return call('schedule-job', { name: 'deploys', edit: true, cron: '0 9 * * 1-5', ...because });
  if (asked.includes('with few tools'))
    return call('schedule-job', {
      name: 'few',
      at: 'now',
      prompt: 'Look up the inns.',
      tools: ['recall', 'schedule-job'],
      ...because,
    });
  if (asked.includes('Look up the inns')) return lookUp(JSON.stringify(request.messages));
  if (asked.includes('with a tool of people'))
    return call('schedule-job', { name: 'more', at: 'now', prompt: 'x', tools: ['resume-all'], ...because });
  const [, brew] = /brew (\d)/.exec(asked) ?? [];
  if (brew !== undefined)
    return call('schedule-job', { name: `brew${brew}`, at: 'now', prompt: `Stir pot ${brew}.`, ...because });
  if (asked.includes('Stir pot')) return stirred.promise.then(() => say('It is stirred.'));
  if (asked.includes('in the background'))
    return call('schedule-job', {
      name: 'Hotels',
      at: 'now',
      prompt: 'Compare the hotels.',
      capUsd: '0.20',
      ...because,
    });
  if (asked.includes('Compare the hotels')) return compared.then(() => say('The Plaza is the best.'));
  if (asked.includes('soon')) return call('schedule-job', { name: 'soon', at: 'soon', prompt: 'x', ...because });
  if (asked.includes('which jobs')) return call('list-jobs', because);
  return say(`Asked: ${asked.split('\n').at(-1)}`);
};

/** Tries what its job does not leave, then work of its own. */
const lookUp = (messages: string): ScriptedAnswer => {
  if (messages.includes('cannot begin work at once')) return say('There is one inn.');
  if (!messages.includes('the job does not list it')) return call('calculate', { expression: '1+1', ...because });
  return call('schedule-job', { name: 'deeper', at: 'now', prompt: 'Go on.', tools: ['recall'], ...because });
};

let world: TestStack;
beforeAll(async () => {
  world = await startTestStack({
    allowedChats: [OWNER],
    approvers: [OWNER],
    environment: {
      TIME_ZONE: 'Europe/Berlin',
      HOME_CHAT: String(OWNER),
      WEBHOOK_SECRETS: JSON.stringify({ bell: SECRET }),
    },
    script: answer,
  });
});
afterAll(async () => world?.stop());

const textsTo = () => world.telegram.sent(OWNER).map(({ text = '' }) => text);

const write = (text: string) => world.settled(signalIdOf(world.telegram.sendText(OWNER, OWNER, text)));

/** The answer to a command. */
const command = async (text: string): Promise<string> => (await write(text)).replies.join('\n');

/** The card that a message led to, and a tap on "Approve". */
const approveCard = async (about: string): Promise<string> => {
  const card = await until('a card', () =>
    world.telegram.sent(OWNER).find(({ text = '', reply_markup: keys }) => keys !== undefined && text.includes(about)),
  );
  const [yes] = card.reply_markup?.inline_keyboard[0] ?? [];
  const text = card.text ?? '';
  await world.settled(
    signalIdOf(
      world.telegram.tap(card.message_id, yes !== undefined && 'callback_data' in yes ? yes.callback_data : '', OWNER),
    ),
  );
  return text;
};

const ask = async (words: string, about: string): Promise<string> => {
  const view = await write(words);
  expect(view).toMatchObject({ state: 'suspended', effects: [{ actuator: 'tool', state: 'suspended' }] });
  const text = await approveCard(about);
  await until('it ended', async () => (await world.signal(view.id)).isTurnClosed);
  expect(await world.signal(view.id)).toMatchObject({ state: 'acted', effects: [{ state: 'done' }] });
  return text;
};

describe('a job made in chat', () => {
  it('once: the card shows all of it, and a yes makes it', async () => {
    const card = await ask('remind me in two days at 9 to drink tea', 'A new job: tea');
    const weekday = new Date(`${TEA_DAY}T12:00Z`).toUTCString().slice(0, 3);
    const [, offset = ''] = /Next: \w{3} [\d-]+ 09:00 \((0[78]:00) UTC\)/.exec(card) ?? [];
    expect(card.split('\n')).toStrictEqual([
      `On ${TEA_DAY} at 09:00 (Europe/Berlin): work on “Say: drink tea.” (job tea)`,
      expect.stringMatching(/^Details \(waits for your yes until .*\):$/),
      'A new job: tea',
      `When: once, ${TEA_DAY} 09:00 on the clock of Europe/Berlin`,
      `Next: ${weekday} ${TEA_DAY} 09:00 (${offset} UTC)`,
      '      then never again',
      'It asks the model: Say: drink tea.',
      `Result goes to: telegram ${OWNER}`,
      'Promise: a reply; a run without one is reported as having done nothing',
      `It may read, remember and write to telegram ${OWNER}; anything else asks you each time, unless a grant for job:tea covers it.`,
      'The model says why: the owner asked for exactly this job',
      'Called: schedule-job (tool)',
      expect.stringMatching(/^Exactly: \{"catchUp":.*"when":.*\}$/),
      "Asked because: the tool schedule-job needs a person's approval (permissions)",
      'Asked because: the tool schedule-job changes who may do what (high-impact)',
      expect.stringMatching(/^Came from: telegram:7001 in telegram:7001, tg-/),
      expect.stringMatching(/^Or: \/approve (\w{6}), \/deny \1$/),
    ]);
  });

  it('by a cron rule and by an interval; the console shows the same lines', async () => {
    const card = await ask('every weekday at 8 check the deploys', 'A new job: deploys');
    expect(card).toContain('When: cron 0 8 * * 1-5 on the clock of Europe/Berlin, 08:00, Mon–Fri');
    const view = await write('every 2 hours tell me to stretch');
    const { body } = await world.api<{ approvals: ShownApproval[] }>(
      'GET',
      '/api/approvals',
      undefined,
      APPROVER_TOKEN,
    );
    const shown = body.approvals.find(({ signalId }) => signalId === view.id);
    const stretch = await approveCard('A new job: stretch');
    for (const line of shown?.rest ?? ['none']) expect(stretch).toContain(line);
    expect(stretch).toContain('Step 1: says: Stretch!');
    const moments = [...stretch.matchAll(/^(?:Next:| {5}) .*(\d\d):(\d\d) UTC\)$/gm)];
    expect(moments).toHaveLength(5);
    const minutes = moments.map(([, hour, minute]) => Number(hour) * 60 + Number(minute));
    expect(minutes.slice(1).map((at, n) => (at - (minutes[n] ?? 0) + 1440) % 1440)).toStrictEqual([120, 120, 120, 120]);
    await until('it ended', async () => (await world.signal(view.id)).isTurnClosed);
    expect((await command('/jobs')).split('\n').map((line) => line.split(':')[0])).toStrictEqual([
      'deploys',
      'stretch',
      'tea',
    ]);
    expect((await write('which jobs do I have?')).id).not.toBe('');
    await until('the model answers', () =>
      textsTo().some((text) => text.startsWith('It says: ') && text.includes('tea')),
    );
  });

  it('is not made of words that name no time', async () => {
    const view = await write('do it soon');
    expect(view).toMatchObject({ state: 'refused' });
    expect(view.replies.join()).toContain(
      'at must be now, or the time on the clock of the zone, such as 2026-11-24T09:00',
    );
    expect(await command('/jobs show soon')).toBe(
      'That cannot be shown: there is no job soon; /jobs lists those there are.',
    );
  });
});

describe('a job', () => {
  it('is changed in plain words, and the card says what changes', async () => {
    const card = await ask('check the deploys at 9 instead', 'It changes the job deploys');
    expect(card).toContain('It changes the job deploys (version 1).');
    expect(card).toContain(
      'CHANGED When: cron 0 9 * * 1-5 on the clock of Europe/Berlin, 09:00, Mon–Fri (before: cron 0 8 * * 1-5 on the clock of Europe/Berlin, 08:00, Mon–Fri)',
    );
    expect(await command('/jobs show deploys')).toContain('cron 0 9 * * 1-5');
    const [first, second] = await world.table.load([1, 2].map((n) => jobKeys.version('default', 'deploys', n)));
    expect(first).toMatchObject({ why: 'made', by: `telegram:${OWNER}` });
    expect(second).toMatchObject({ why: 'edited', by: `telegram:${OWNER}` });
  });

  it('is paused and resumed by a command, without a second yes', async () => {
    expect(await command('/jobs pause tea')).toBe('The job tea is paused.');
    expect(await command('/jobs pause tea')).toBe(
      'This could not be done: Pause the job tea. Why: the job tea is paused',
    );
    expect(await command('/jobs')).toMatch(/^tea: paused; once, /m);
    expect(await command('/status')).toContain('Paused jobs: tea');
    expect(await command('/jobs resume tea')).toMatch(/^The job tea is resumed\.\nNext: /);
  });

  it('shows what a run would do, and does nothing', async () => {
    const sent = textsTo().length;
    const steps = await command('/jobs dry-run stretch');
    expect(steps.split('\n').slice(0, 3)).toStrictEqual([
      'A run of stretch now (nothing was done):',
      '1. text: Stretch!',
      `   a text (telegram to ${OWNER}): would be done`,
    ]);
    const asked = world.model.requests.length;
    const prompt = await command('/jobs dry-run tea');
    expect(prompt).toContain('It would ask the model: Say: drink tea.');
    expect(prompt).toMatch(/^Tools, allow: .*recall/m);
    expect(prompt).toMatch(/^Tools, ask: .*call-webhook/m);
    expect(world.model.requests).toHaveLength(asked);
    expect(textsTo()).toHaveLength(sent + 2);
    expect(await command('/jobs history stretch')).toBe('The job stretch has not been due yet.');
  });

  it('runs now and when it is due, and its history agrees with what was received', async () => {
    const before = textsTo().length;
    expect(await command('/jobs run stretch')).toMatch(/^The job stretch runs now: \/why job-stretch-\d+:run$/);
    await until('it said so', () => textsTo().slice(before).includes('Stretch!'));
    expect(await command('/jobs run tea')).toMatch(/^The job tea runs now/);
    await until('the model answered', () =>
      textsTo()
        .slice(before)
        .some((text) => text === 'Asked: Say: drink tea.'),
    );
    const closed = async (name: string) => {
      const { body } = await world.api<{ occurrences: { state: string; closedAt?: number; signalId: string }[] }>(
        'GET',
        `/api/jobs/history?name=${name}`,
      );
      return body.occurrences.every(({ closedAt }) => closedAt !== undefined) && body.occurrences;
    };
    // No heartbeat is needed.
    expect(await until('it is closed', () => closed('stretch'))).toMatchObject([{ state: 'fired', kind: 'run' }]);
    expect(await until('it is closed', () => closed('tea'))).toMatchObject([{ state: 'fired', kind: 'run' }]);
    expect(await command('/jobs history tea')).toMatch(
      /^\w{3} [\d-]+ \d\d:\d\d {2}ran on time \(run by a person\) {2}\/why job-tea-\d+:run$/,
    );
    expect(await command('/jobs history tea 1')).toMatch(
      /\nThese are the newest 1\. For more: \/jobs history tea 100$/,
    );
    expect(textsTo().filter((text) => text === 'Stretch!')).toHaveLength(1);
    expect(await command('/jobs run stretch')).toMatch(/^The job stretch runs now/);
    await until('it said so again', () => textsTo().filter((text) => text === 'Stretch!').length === 2);
    expect(await command('/cost job tea')).toContain('tea');
  });

  it('is removed, and its history stays', async () => {
    expect(await command('/jobs remove tea')).toBe('The job tea is removed.');
    expect(await command('/jobs show tea')).toContain('there is no job tea');
    expect(await command('/jobs history tea')).toContain('/why job-tea-');
  });
});

describe('a job for now', () => {
  it('works in the background from its yes on, beside the conversation, and reports back', async () => {
    expect(await command('/tasks')).toBe('Nothing works in the background now. /jobs lists what is scheduled.');
    const card = await ask('compare the hotels in the background', 'A new job: hotels');
    expect(card).toContain('Next: within a minute');
    expect(card).toContain('Cap: $0.20 a day, beside that of all jobs');
    await world.tick();
    const shown = await until('it works', async () => {
      const lines = await command('/tasks');
      return lines.startsWith('hotels: since ') && lines;
    });
    expect(shown).toMatch(/ {2}\/why job-hotels-\d+\nTo end all of it: \/stop$/);
    const job = await command('/jobs show hotels');
    expect(job).toMatch(/^hotels: ended; once, .*; 1 running\n/);
    expect(job).toContain('\nNext: never again\n');
    expect((await write('and what do you do?')).replies).toStrictEqual(['Asked: and what do you do?']);
    finishComparing();
    await until('it reports', () => textsTo().includes('The Plaza is the best.'));
    await until('it has ended', async () => (await command('/tasks')).startsWith('Nothing works'));
    expect(await command('/jobs history hotels')).toMatch(/ran (on time|late by \d+ min) {2}\/why job-hotels-\d+$/);
    const cli = (...words: readonly string[]) => runCli(words, world.dataDir, { env: { APPROVER_TOKEN } });
    const file = join(world.dataDir, 'hotels.jsonl');
    expect(await cli('evidence', 'export', '--out', file)).toMatchObject({ code: 0 });
    expect((await cli('verify', file, '--key', (await cli('evidence', 'key')).out.trim())).out).toMatch(/^verified$/m);
  });
});

describe('/jobs add', () => {
  it('asks on the same card, and says exactly what is wrong with a line', async () => {
    const view = await write('/jobs add night cron "30 23 * * *" --cap 0.25: Sum up the day');
    expect(view.state).toBe('suspended');
    const card = await approveCard('A new job: night');
    expect(card).toContain('Cap: $0.25 a day, beside that of all jobs');
    await until('it ended', async () => (await world.signal(view.id)).isTurnClosed);
    expect(await command('/jobs show night')).toContain('It asks the model: Sum up the day');
    expect(await command('/jobs add night every 1h: x')).toContain(
      'Nothing was changed: there is a job night already; /jobs edit night changes it.',
    );
    expect(await command('/jobs add late every 1h')).toMatch(
      /^Nothing was changed: its work is missing: write a colon and what to ask [^\n]+\nThe form: [^\n]+, such as tea every 2h: remind me to drink\.$/,
    );
    expect(await command('/jobs edit night')).toContain('that changes nothing of the job night: say what to change');
    expect(await command('/jobs edit none every 1h: x')).toContain('there is no job none to change');
    expect(await command('/jobs dance')).toContain('That command needs another form: /jobs list\n/jobs show <name>');
    expect(await command('/jobs remove night')).toBe('The job night is removed.');
    expect(await command('/jobs history night')).toBe('The job night was removed before it was due.');
  });
});

describe('passepartout jobs', () => {
  const cli = (...words: readonly string[]) => runCli(['jobs', ...words], world.dataDir, { env: { APPROVER_TOKEN } });

  it('makes, shows, changes, runs and removes a job, and says yes to its own card', async () => {
    const added = await cli('add', 'check', '--cron', '0 7 * * *', '--to', 'nowhere', 'Look at everything');
    expect(added).toMatchObject({ code: 0, out: expect.stringContaining('The job check is made.') });
    const wrong = await cli('add', 'bad', '--cron', '99 8 * * *', 'hello');
    expect(wrong).toMatchObject({ code: 1, out: expect.not.stringContaining('The form') });
    expect(wrong.err).toContain('npx passepartout help jobs says how to write it');
    expect(await cli('list')).toMatchObject({ code: 0, out: expect.stringMatching(/^check: active, next /m) });
    expect(await cli('show', 'check')).toMatchObject({
      code: 0,
      out: expect.stringContaining('Result goes to: nobody'),
    });
    const edited = await cli('edit', 'check', '--every', '1d');
    expect(edited).toMatchObject({ code: 0, out: expect.stringContaining('The job check is changed.') });
    const file = join(world.dataDir, 'job.yaml');
    writeFileSync(file, 'name: hello\nevery: 2h\nsteps:\n  - say: Hello\nto: [console:main]\ncapUsd: "0.10"\n');
    expect(await cli('add', '--file', file)).toMatchObject({ code: 0, out: expect.stringContaining('hello is made') });
    expect(await cli('show', 'hello', '--json')).toMatchObject({
      out: expect.stringContaining('Cap: $0.10 a day, beside that of all jobs'),
    });
    expect(await cli('add', '--file', `${file}.none`)).toMatchObject({ code: 2 });
    expect(await cli('pause', 'check')).toMatchObject({ code: 0, out: expect.stringContaining('is paused') });
    expect(await cli('dry-run', 'check')).toMatchObject({ code: 0, out: expect.stringContaining('nothing was done') });
    expect(await cli('history', 'check')).toMatchObject({ code: 0 });
    expect(await cli('remove', 'check')).toMatchObject({ code: 0, out: expect.stringContaining('is removed') });
    expect(await cli('pause', 'check')).toMatchObject({ code: 1 });
    expect(await cli('add', 'check')).toMatchObject({ code: 1, out: expect.stringContaining('give one of at, every') });
    expect(await cli('dance')).toMatchObject({ code: 2 });
    expect(JSON.parse((await cli('list', '--json')).out)).toMatchObject({ jobs: expect.any(Array) });
  });

  it('has the tools that were chosen for it, and begins no work of its own', async () => {
    const card = await ask('look up the inns, with few tools', 'A new job: few');
    expect(card).toContain('Use only these tools: recall, schedule-job.');
    await world.tick();
    await until('it reports', () => textsTo().includes('There is one inn.'));
    const asked = world.model.requests.filter((request) => userTextOf(request).includes('Look up the inns'));
    for (const { tools = [] } of asked)
      expect(tools.map((tool) => tool.function.name).toSorted()).toStrictEqual([
        'read-output',
        'recall',
        'schedule-job',
      ]);
    const [, id] = /\/why (job-few-\d+)/.exec(await command('/jobs history few')) ?? [];
    expect(await command(`/why ${id}`)).toContain('Only these tools, by its job: recall, schedule-job');
    expect((await write('look them up with a tool of people')).replies.join()).toContain(
      'tools names 1 that this turn does not have',
    );
  });
});

describe('work in the background', () => {
  it('is at most five runs at once, and a stop ends all of them', async () => {
    for (const n of [1, 2, 3, 4, 5]) await ask(`brew ${n}`, `A new job: brew${n}`);
    await world.tick();
    const working = async () => (await command('/tasks')).match(/^brew\d: since /gm)?.length;
    await until('five work', async () => (await working()) === 5);
    const view = await write('brew 6');
    await approveCard('A new job: brew6');
    await until('it ended', async () => (await world.signal(view.id)).isTurnClosed);
    expect((await world.signal(view.id)).effects).toMatchObject([
      { state: 'failed', reason: expect.stringContaining('5 runs of jobs work at once already: /tasks lists them') },
    ]);

    await command('/stop');
    stirred.resolve();
    await command('/resume');
    await until('none works', async () => (await command('/tasks')).startsWith('Nothing works'));
    expect(textsTo().join()).not.toContain('It is stirred.');
  });
});

it('gets what a job says too often in one message, which is edited, and no run fails', async () => {
  await ask('/jobs add bell event bell runbook=tell input.hourly=100', 'A new job: bell');
  const ring = async (id: string): Promise<void> => {
    const [body, at] = [JSON.stringify({ type: 'ring', id }), new Date()];
    const headers = {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': new Webhook(SECRET).sign(id, at, body),
    };
    await fetch(`${world.stack.url}/webhook/bell`, { method: 'POST', headers, body });
  };
  // Twice a share and more: the hour may end meanwhile.
  const [first, second] = [14, 6];
  const digests = () => textsTo().filter((text) => /^bell: \d+ more this hour: \d+ rings$/m.test(text));
  /** Each ring stands in the chat once, by itself or in the digest. */
  const isTold = (count: number) => {
    const rings = textsTo().flatMap((text) => text.match(/(?<="id":")bell-\d+/g) ?? []);
    expect(rings).toStrictEqual([...new Set(rings)]);
    return rings.length === count;
  };
  const comes = (count: number) =>
    until('all is told', async () => {
      await world.tick();
      return isTold(count);
    });
  for (let n = 0; n < first; n += 1) await ring(`bell-${n}`);
  await comes(first);
  for (let n = first; n < first + second; n += 1) await ring(`bell-${n}`);
  await comes(first + second);
  expect(digests().length).toBeGreaterThan(0);
  expect(await command('/jobs history bell 20')).not.toMatch(/failed|running/);
  expect(await command('/news bell')).toContain('bell: {"type":"ring","id":"bell-');
});
