/**
 * The command as a person or script uses it, against a real console: in this process, and as a
 * program it does the same.
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { settingKey, signalKeys } from '../../lib/core/store/keys.ts';
import { APPROVER_TOKEN, SCRIPT_TOKEN } from '../core/edge/console/console-server.ts';
import {
  buildApproval,
  buildAttempt,
  buildDecision,
  buildEffect,
  buildSignal,
  judge,
  putApproval,
  putSignal,
  reply,
  SPACE,
  toolCall,
} from '../core/edge/console/stored-fixtures.ts';
import { makeJob, sampleJob } from '../features/jobs/sample-job.ts';
import { type CliWorld, runCli, runProgram, type Script, startCliWorld, writeFolder } from './cli-world.ts';

let world: CliWorld;

const answering = (id: string, text: string) => {
  const said = judge(reply(text));
  return { state: 'acted' as const, decision: buildDecision(id, [said]), effects: [buildEffect(0, said)] };
};

const asked = judge(
  {
    ...toolCall('call-webhook', { name: 'shop', payload: { n: 1 } }),
    target: 'webhook',
    to: 'shop',
    url: 'https://shop.example/in',
  },
  'ask',
);
const buildWaiting = (signalId: string) =>
  buildApproval('fe'.repeat(16), asked, { signalId, createdAt: Date.now(), expiresAtMs: Date.now() + 600_000 });

const REFUSED = reply('Nothing was changed: this is denied already.', { author: 'code', template: 'approval-stale' });

const NOT_STOPPED = reply('It is not stopped.', { author: 'code', template: 'session-not-stopped' });

const script: Script = ({ signal }) => {
  const { payload } = signal;
  if (payload.sensor === 'command' && payload.name === 'grants') return answering(signal.id, 'Allowed: as wished');
  if (payload.sensor === 'command' && payload.name === 'revoke')
    return answering(signal.id, 'The grant is taken back.');
  if (payload.sensor === 'command' && payload.name === 'approve') return answering(signal.id, 'Approved.');
  if (payload.sensor === 'command' && payload.name === 'deny') {
    const said = judge(REFUSED);
    return { state: 'acted', decision: buildDecision(signal.id, [said]), effects: [buildEffect(0, said)] };
  }
  if (payload.sensor === 'resume') {
    const said = payload.session === undefined ? reply('Läuft wieder.') : NOT_STOPPED;
    return {
      ...answering(signal.id, ''),
      decision: buildDecision(signal.id, [judge(said)]),
      effects: [buildEffect(0, judge(said))],
    };
  }
  if (payload.sensor === 'command') return answering(signal.id, `command ${payload.name}`);
  const text = 'text' in payload ? (payload.text[0]?.text ?? '') : '';
  if (text === 'hang') return undefined;
  if (text === 'forbidden') return { state: 'refused', stateReason: 'the rules refused it' };
  if (text === 'needs a person')
    return {
      state: 'suspended',
      approval: buildWaiting(signal.id),
      effects: [buildEffect(0, asked, { state: 'suspended' })],
    };
  return answering(signal.id, text === 'evil' ? 'a\u001b]0;owned\u0007b\u202ec' : `you said: ${text}`);
};

beforeAll(async () => {
  world = await startCliWorld(script);
});
afterAll(() => world.stop());

describe('the program', () => {
  it.each([
    [['help'], 0],
    [['send', 'hello'], 0],
    [['send', '--', '-x'], 0],
    [['sned', 'x'], 2],
    [['revoke', 'nonsense'], 2],
    [['send', 'evil', '--json', '--sesion', 'x'], 2],
    [['gates', 'try'], 1, 'no action\n'],
  ] as const)(
    '%j says, on both of its streams, what the command says, and exits so',
    async (words, code, input: string = '') => {
      const ran = await runProgram(words, world.folder, { input });
      expect(ran).toStrictEqual({ code, out: expect.any(String), err: expect.any(String) });
      expect(ran).toStrictEqual(await world.run(words, { input }));
    },
  );
});

describe('passepartout send', () => {
  it('prints the reply and exits 0', async () => {
    expect(await world.run(['send', 'hello'])).toStrictEqual({ code: 0, out: 'you said: hello\n', err: '' });
  });

  it('prints the whole signal with --json', async () => {
    const { code, out } = await world.run(['send', '--json', 'hello', '--session', 'desk']);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ session: 'console:desk', state: 'acted', replies: ['you said: hello'] });
  });

  it('exits 1 with the reason when it was refused', async () => {
    const { code, err } = await world.run(['send', 'forbidden']);
    expect(code).toBe(1);
    expect(err).toContain('refused: the rules refused it; npx passepartout why con-');
  });

  it('exits 1 when the waiting is over, and says how to ask later', async () => {
    const { code, err } = await world.run(['send', 'hang', '--wait', '1']);
    expect(code).toBe(1);
    expect(err).toMatch(/still received; npx passepartout why con-[0-9a-f]{40} says/);
  });

  it('says so when an approval is needed', async () => {
    const { code, err } = await world.run(['send', 'needs a person']);
    expect(code).toBe(0);
    expect(err).toMatch(
      /^This waits for your yes:\nfefefe {2}Use call-webhook: .*\n {2}approve: npx passepartout approve fefefe\n/,
    );
  });

  it('gives the id at once with --wait 0', async () => {
    expect((await world.run(['send', 'hang', '--wait', '0'])).out).toMatch(/^con-[0-9a-f]{40}\n$/);
  });

  it('spells out control and bidirectional characters of a reply', async () => {
    expect((await world.run(['send', 'evil'])).out).toBe('a\\u{1b}]0;owned\\u{7}b\\u{202e}c\n');
  });

  it('takes text that starts with a dash after "--"', async () => {
    expect((await world.run(['send', '--', '-x'])).out).toBe('you said: -x\n');
    expect((await world.run(['send', 'hello', 'there'])).out).toBe('you said: hello there\n');
  });
});

describe('passepartout: usage', () => {
  const wrong: [readonly string[], RegExp][] = [
    [['sned', 'x'], /no command "sned"; did you mean "send"/],
    [['quux'], /no command "quux"\n/],
    [['health'], /no command "health"; did you mean "doctor"/],
    [['help', 'sned'], /no command "sned"; did you mean "send"/],
    [['send', 'x', '--sesion', 'y'], /no option "--sesion"; did you mean "--session"/],
    [['send'], /send needs more: "text"\nusage: npx passepartout send "text"/],
    [['effects', 'resolve', 'con-a#0'], /effects needs more: done\|retry\nusage: npx passepartout effects resolve/],
    [['jobs', 'ad'], /^jobs does not take "ad"; did you mean "jobs add"\?\n/],
    [
      ['jobs', 'add', 'pulls', 'event', 'github/push', 'runbook=tell'],
      /^on the command line "event" is an option: --event <source\/event>\nnpx passepartout help jobs says/,
    ],
    [['jobs', 'nope'], /^jobs does not take "nope"\nnpx passepartout help jobs says how to write it\n$/],
    [['mcp', 'add', 'x'], /usage: npx passepartout mcp add <name> /],
    [['send', ...Array(129).fill('x')], /takes no "x"/],
    [['send', 'x', '--session'], /--session needs a value/],
    [['send', 'x', '--wait', 'soon'], /--wait takes whole seconds/],
    [['why', 'x', '--limit', '3'], /no option "--limit"/],
    [['signals', '--limit', '999'], /limit must be a whole number from 1 to 100/],
    [['signals', '--state', 'lost'], /state must be one of received/],
    [['effects', 'resolve', 'con-a', 'done'], /usage: npx passepartout effects resolve/],
    [['effects', 'list', 'con-a', 'x'], /usage: npx passepartout effects resolve/],
    [['chat', '--json'], /chat has no --json/],
    [['\u001b[31mred'], /no command "\\u\{1b\}\[31mred"/],
  ];
  it.concurrent.each(wrong)('exits 2 for %j and says what is wrong', async (words, expected) => {
    const { code, out, err } = await world.run(words);
    expect(code).toBe(2);
    expect(`${out}${err}`).toMatch(expected);
    expect(err).not.toContain('\u001b');
  });

  it('lists every command and exit code in the help', async () => {
    const { code, out } = await world.run(['help']);
    expect(code).toBe(0);
    for (const name of [
      'chat',
      'send',
      'signals',
      'why',
      'approvals',
      'approve',
      'deny',
      'grants',
      'revoke',
      'redrive',
      'effects',
      'stop',
      'resume',
      'pair',
      'doctor',
    ])
      expect(out).toMatch(new RegExp(`^ {2}(.*, )?${name}\\b`, 'm'));
    expect(out).toContain('Exit codes: 0 done');
    expect((await world.run(['send', '--help'])).out).toContain('--wait <seconds>');
    expect((await world.run([])).code).toBe(0);
    // A long form does not run into its sentence.
    expect((await world.run(['help', 'skill'])).out).toMatch(/<value…>\n {36}a setting that a skill declares/);
    expect((await world.run(['help', 'jobs', 'add'])).out).toContain('jobs add <name> [what to ask]');
  });

  it.each([
    [['passepartout', 'appr'], 'approvals approve'],
    [['passepartout', 'jobs', 'h'], 'history'],
    [['passepartout', 'stop', ''], ''],
  ])('completes %j in bash', async (words, completed) => {
    const script = (await world.run(['completion', 'bash'])).out;
    const line = `${script}COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}; _passepartout passepartout '${words.at(-1)}'; echo "\${COMPREPLY[*]}"`;
    expect(execFileSync('bash', ['-c', line], { encoding: 'utf8' }).trim()).toBe(completed);
  });

  it.each([
    ['runbook', /^ {2}runbook run <file or name> +perform a runbook/m, '[whole]'],
    ['jobs', /^ {2}jobs add <name> \[what to ask\] +make a job/m, 'input.<name>'],
    ['skill', /^ {2}skill add <folder> +show all of a skill/m, '{"files"'],
  ])('gives the forms of %s as a shell takes them, not those of a chat', async (noun, form, ofChat) => {
    const { out } = await world.run(['help', noun]);
    expect(out).toMatch(form);
    expect(out).not.toContain(ofChat);
  });

  it('gives errors as JSON with --json', async () => {
    const { code, out } = await world.run(['why', 'con-none', '--json']);
    expect(code).toBe(1);
    expect(JSON.parse(out)).toStrictEqual({ error: { code: 'exit-1', message: 'I know of no task con-none here' } });
  });
});

describe('passepartout: finding the stack', () => {
  const inFolder = async (work: (folder: string) => Promise<void>): Promise<void> => {
    const folder = mkdtempSync(join(tmpdir(), 'passepartout-none-'));
    try {
      await work(folder);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  };

  it('exits 1 when none runs on the folder, when it has ended, and when it does not answer', () =>
    inFolder(async (folder) => {
      const none = await runCli(['signals'], folder);
      expect(none).toMatchObject({ code: 1, err: expect.stringContaining('npm start') });
      writeFolder(folder, 'http://127.0.0.1:9/', 2 ** 30);
      expect(await runCli(['signals'], folder)).toMatchObject({ code: 1, err: expect.stringContaining('has ended') });
      writeFolder(folder, 'http://127.0.0.1:9/', process.pid);
      expect(await runCli(['signals'], folder)).toMatchObject({
        code: 1,
        err: expect.stringContaining('does not answer'),
      });
    }));

  it('exits 2 for a wrong token and for a file it cannot read, and never shows a token', () =>
    inFolder(async (folder) => {
      const wrong = await world.run(['signals'], { env: { APPROVER_TOKEN: 'not-the-token' } });
      expect(wrong).toMatchObject({ code: 2, err: expect.stringContaining('APPROVER_TOKEN') });
      expect(wrong.err).not.toContain('not-the-token');
      writeFileSync(join(folder, 'stack.json'), '{');
      expect((await runCli(['signals'], folder)).code).toBe(2);
    }));

  it('resumes with the token of an approver only', () =>
    inFolder(async (folder) => {
      writeFolder(folder, world.url, process.pid);
      writeFileSync(join(folder, 'tokens.json'), '{}');
      expect(await runCli(['resume'], folder)).toMatchObject({
        code: 2,
        err: expect.stringContaining('APPROVER_TOKEN'),
      });
      const env = { APPROVER_TOKEN: SCRIPT_TOKEN };
      expect(await runCli(['resume'], folder, { env })).toMatchObject({
        code: 1,
        err: expect.stringContaining("approver's token"),
      });
      expect(await runCli(['resume'], folder, { env: { APPROVER_TOKEN } })).toMatchObject({ code: 0 });
    }));
});

describe('passepartout signals and why', () => {
  it('lists what came in, newest first, filtered by state and page by page', async () => {
    const { table } = world.console.dynamo;
    for (let n = 0; n < 3; n += 1)
      await putSignal(table, {
        signal: buildSignal(`con-list${n}`, { receivedAt: 2_000_000_000_000 + n }),
        state: 'dropped',
      });
    const { out } = await world.run(['signals', '--state', 'dropped']);
    expect(
      out
        .split('\n')
        .slice(0, 3)
        .map((line) => line.replace(/\s+/g, ' ')),
    ).toStrictEqual([
      '05-18 03:33:20Z dropped con-list2 hello',
      '05-18 03:33:20Z dropped con-list1 hello',
      '05-18 03:33:20Z dropped con-list0 hello',
    ]);
    const { err } = await world.run(['signals', '--state', 'dropped', '--limit', '2']);
    const [, ...words] =
      /^older ones: npx passepartout (signals --state dropped --limit 2 --cursor \S+)$/m.exec(err) ?? [];
    expect((await world.run((words[0] ?? '').split(' '))).out).toContain('con-list0');
    const first = JSON.parse((await world.run(['signals', '--state', 'dropped', '--limit', '2', '--json'])).out);
    expect(first.signals.map((signal: { id: string }) => signal.id)).toStrictEqual(['con-list2', 'con-list1']);
    const rest = await world.run(['signals', '--state', 'dropped', '--limit', '2', '--json', '--cursor', first.cursor]);
    expect(JSON.parse(rest.out).signals.map((signal: { id: string }) => signal.id)).toStrictEqual(['con-list0']);
  });

  it('names what is handed on so, by its stored reason, and lists no tick', async () => {
    const { table } = world.console.dynamo;
    const stateReason = 'handed to the job watch';
    await putSignal(table, { signal: buildSignal('con-handed'), state: 'dropped', record: { stateReason } });
    const tick = { sensor: 'heartbeat', scheduledAt: 1 } as const;
    await putSignal(table, { signal: buildSignal('maintenance-tidy', { payload: tick }), state: 'dropped' });
    expect((await world.run(['signals', '--state', 'handed on'])).out).toMatch(/handed on +con-handed +hello/);
    expect((await world.run(['signals', '--limit', '100'])).out).not.toMatch(/dropped +con-handed|maintenance-tidy/);
    const { out } = await world.run(['why', 'con-handed']);
    expect(out).toContain('It was handed on: handed to the job watch.');
    expect(out).toContain('con-handed – handed on – handed to the job watch');
  });

  it("names no model as the author of a runbook's step", async () => {
    const step = judge(toolCall('recall', { query: 'a' }));
    const signal = buildSignal('run-1/s2');
    await putSignal(world.console.dynamo.table, {
      signal,
      state: 'acted',
      decision: buildDecision('run-1/s2', [step]),
    });
    const { out } = await world.run(['why', 'run-1/s2']);
    expect(out).toContain('    Why: ');
    expect(out).not.toContain('The model says why');
  });

  it('tells the whole story of a signal in aligned lines', async () => {
    const blocked = judge({ ...toolCall('call-webhook', { name: 'evil' }), target: 'webhook' }, 'block', [
      { gate: 'kill-switch', verdict: 'pass', reason: '' },
      { gate: 'network', verdict: 'block', reason: 'the target is not configured' },
    ]);
    const said = judge(reply('I could not.'), 'pass', [
      { gate: 'kill-switch', verdict: 'pass', reason: '' },
      { gate: 'secret-formats', verdict: 'pass', reason: '' },
    ]);
    await putSignal(world.console.dynamo.table, {
      signal: buildSignal('con-story'),
      state: 'acted',
      attempts: [
        buildAttempt(1, [blocked], {
          proposal: {
            calls: [{ callId: 'c', tool: 'call-webhook', args: { name: 'evil' }, explanation: 'because it helps' }],
          },
        }),
      ],
      decision: buildDecision('con-story', [said], {
        attempt: buildAttempt(2, [said], { inputTokens: 20, outputTokens: 4 }),
        attemptCount: 2,
      }),
      effects: [buildEffect(0, said, { state: 'unknown', reason: 'no answer came back' })],
    });
    const { code, out } = await world.run(['why', 'con-story']);
    expect(code).toBe(0);
    expect((await world.run(['why', 'con-sto'])).out).toBe(out);
    expect(out).toBe(`My reply was begun, but nobody knows whether it happened: no answer came back.
Before that the rules rejected one proposal of the model.

con-story – acted
  chat-message from console by console, session console:main, 2023-11-14T22:13:20.000Z
  > hello

Attempt 1 by demo/scripted
  calls: call-webhook {"name":"evil"}
    pass    kill-switch
    block   network      the target is not configured

Attempt 2 by demo/scripted, 20 + 4 tokens
  says: I could not.
    pass    kill-switch
    pass    secret-formats

Decision: act   (gate set gggggggggggg)
  Action 0: Send this text to the console main: “I could not.” – unknown
    Text: I could not.
    To: main
    The model says why: a plain reply to the person
    Called: message (console)
    pass    kill-switch
    pass    secret-formats

Effects
  Effect 0: console – unknown – no answer came back
    look whether it happened, then (done, or retry): npx passepartout effects resolve con-story#0 done

Policy rules: 0. Rules learned: 0.
`);
  });

  it('exits 1 for an unknown signal', async () => {
    const err = 'I know of no task con-nothing here\n';
    expect(await world.run(['why', 'con-nothing'])).toMatchObject({ code: 1, err });
  });
});

describe('passepartout cost', () => {
  it('says what a day, a conversation or a job cost, and takes no name where none belongs', async () => {
    expect((await world.run(['cost'])).out).toMatch(/^\d{4}-\d\d-\d\d: \$\d+\.\d+, \d+ tokens\nSaved: /);
    expect((await world.run(['cost', 'session', 'console:main'])).out).toMatch(/^This conversation today: /);
    expect((await world.run(['cost', 'job'])).out).toMatch(/^Jobs today \(0; /);
    expect(await world.run(['cost', 'job', 'tidy'])).toMatchObject({
      code: 1,
      err: 'there is no job tidy; npx passepartout jobs lists those there are\n',
    });
    for (const words of [
      ['cost', 'day', 'tidy'],
      ['cost', 'year'],
    ])
      expect((await world.run(words)).code, words.join(' ')).toBe(2);
  });
});

describe('a command that the command line sends', () => {
  it('is listed as such, and not as something said in the conversation', async () => {
    await world.run(['skill', 'show', 'notes']);
    await world.run(['send', '/help']);
    const { out } = await world.run(['signals', '--limit', '100']);
    expect(out).toMatch(/con-\w+ +\/help\n(.*\n)*?.*cli-\w+ +skill\b.*\n/);
  });
});

describe('passepartout grants and revoke', () => {
  const id = '90ffee00'.repeat(4);

  it('hand a wish on, say what was answered, and list what is in force', async () => {
    const spent = buildApproval(id, asked, { state: 'spent' });
    await putApproval(world.console.dynamo.table, spent, spent.createdAt);
    expect(await world.run(['grants'])).toMatchObject({
      code: 0,
      out: 'There is no grant. A job that you approved as a whole says so: npx passepartout jobs show <name>\n',
    });
    const added = await world.run(['grants', 'add', '--from', id, '--loosen', 'payload.n', '--count', '3']);
    const newly = 'Newly possible without a question: call-webhook to shop, as it was approved, but for payload.n.';
    expect(added).toMatchObject({ code: 0, out: 'Allowed: as wished\n', err: expect.stringContaining(newly) });
    expect(await world.run(['revoke', 'a'.repeat(12)])).toMatchObject({ code: 0, out: 'The grant is taken back.\n' });
  });

  it.each([
    [['grants', 'add'], /grants add --from <approval>/],
    [['grants', 'remove'], /help grants says how to write it/],
    [['grants', 'add', '--from', id, '--count', 'many'], /count must be a number/],
    [['revoke', 'all'], /must be the id of a grant/],
  ])('%j is a wrong command', async (words, expected) => {
    const { code, err } = await world.run(words);
    expect(code).toBe(2);
    expect(err).toMatch(expected);
  });
});

describe('passepartout approvals, approve and deny', () => {
  const fresh = { createdAt: Date.now(), expiresAtMs: Date.now() + 600_000 };

  it('lists every field of what waits and decides it, by the start of its id too', async () => {
    const { table } = world.console.dynamo;
    const id = 'c0ffee00'.repeat(4);
    await putApproval(table, buildApproval('fe'.repeat(16), asked, { state: 'denied' }));
    expect(await world.run(['approvals'])).toMatchObject({ code: 0, out: '', err: 'nothing waits for an approval\n' });
    await putApproval(table, buildApproval(id, asked, fresh), fresh.createdAt);
    const { out } = await world.run(['approvals']);
    expect(out).toMatch(/^c0ffee {2}Use call-webhook: name “shop”, payload .* {3}expires in \d+ min$/m);
    for (const args of [
      ['approvals', 'c0ffee'],
      ['approvals', '--all'],
    ]) {
      const all = await world.run(args);
      expect(all.out).toContain(
        '\n  approve: npx passepartout approve c0ffee\n  deny:    npx passepartout deny c0ffee\n',
      );
      expect(all.out + all.err).not.toContain('all of it');
      for (const part of [
        'With: {"name":"shop","payload":{"n":1}}',
        'https://shop.example/in',
        'Asked because: calls that',
      ])
        expect(all.out).toContain(part);
    }
    expect(out).not.toContain('https://shop.example/in');
    expect(out.match(/approve: .*/g)).toStrictEqual(['approve: npx passepartout approve <id>']);
    expect(out).toContain('\n  all of it: npx passepartout approvals <id>\n');
    expect(out.split('\n')).toHaveLength(5);
    await putApproval(table, buildApproval('b0'.repeat(16), asked, { state: 'spent' }), fresh.createdAt - 1);
    const both = (await world.run(['approvals', '--all'])).out;
    expect(both).toMatch(/^c0ffee.*\n {2}deny: {4}npx [^\n]* c0ffee\nb0b0.* APPROVED/ms);
    expect(both.slice(both.indexOf('\nb0b0'))).not.toContain('deny:');
    expect(await world.run(['approvals', 'xyz'])).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringMatching(/^no approval begins with xyz\n/),
    });
    expect(await world.run(['approve', 'c0ffee'])).toMatchObject({ code: 0, out: 'Approved.\n' });
    expect(await world.run(['deny', id])).toMatchObject({ code: 1, out: expect.stringContaining('denied already') });
  });

  it('allows the same again where it is told to', async () => {
    const { table } = world.console.dynamo;
    const fresh = buildApproval('abcdef00'.repeat(4), asked, {});
    await putApproval(table, fresh, fresh.createdAt);
    const { err } = await world.run(['approve', '--similar', 'abcdef']);
    expect(err).toMatch(/^Newly possible without a question: call-webhook to shop, exactly as it was approved\.$/m);
    const feed = await table.queryIndex({ index: 'feed', partition: `feed#${SPACE}`, limit: 100, isDescending: true });
    const records = await table.load(feed.items.map(({ pk }) => ({ pk: String(pk), sk: 'record' })));
    const payloads = records.map((record) => JSON.parse(String(record?.signal)).payload);
    expect(payloads).toContainEqual({
      sensor: 'command',
      name: 'approve',
      rest: JSON.stringify({ approval: 'abcdef', similar: true }),
    });
  });
});

describe('passepartout stop, resume, redrive, effects and pair', () => {
  it('stops at once', async () => {
    expect((await world.run(['stop'])).code).toBe(0);
    const [stored] = await world.console.dynamo.table.load([settingKey(SPACE, 'kill-switch')]);
    expect(stored).toMatchObject({ isStopped: true });
    expect((await world.run(['resume'])).code).toBe(0);
  });

  it('resumes one conversation by its name, and shows what came of it', async () => {
    const { code, out } = await world.run(['resume', '--session', 'telegram:7']);
    expect({ code, out }).toStrictEqual({ code: 1, out: 'It is not stopped.\n' });
    expect((await world.run(['resume', '--session', 'no name'])).code).toBe(2);
  });

  it('redrives only what was dead-lettered', async () => {
    await putSignal(world.console.dynamo.table, { signal: buildSignal('con-cli-dead'), state: 'dead-lettered' });
    expect(await world.run(['redrive', 'con-cli-de'])).toMatchObject({
      code: 0,
      out: 'con-cli-dead is on its way again\n',
    });
    expect((await world.run(['redrive', 'con-story'])).code).toBe(1);
  });

  it.each([
    ['resolve', 'con-eff#0', 'done'],
    ['resolve', 'con-eff', '0', 'done'],
  ])('resolves an unknown effect (%s %s %s)', async (...words) => {
    const said = judge(reply('sent?'));
    await putSignal(world.console.dynamo.table, {
      signal: buildSignal('con-eff'),
      state: 'acted',
      decision: buildDecision('con-eff', [said]),
      effects: [buildEffect(0, said, { state: 'unknown' })],
    });
    expect(await world.run(['effects', ...words])).toMatchObject({
      code: 0,
      out: 'effect 0 of con-eff counts as done\n',
    });
    const [stored] = await world.console.dynamo.table.load([signalKeys.effect(SPACE, 'con-eff', 0)]);
    expect(stored).toMatchObject({ state: 'done' });
    expect((await world.run(['effects', ...words])).code).toBe(1);
    expect(await world.run(['redrive', 'nope'])).toMatchObject({ code: 1, err: 'I know of no task nope here\n' });
  });

  it('makes a pairing code', async () => {
    const { code, out, err } = await world.run(['pair']);
    expect(code).toBe(0);
    expect(out).toMatch(/\/pair [0-9A-Z]{4}-[0-9A-Z]{4}\n$/);
    expect(err).toContain('No bot is connected yet: put TELEGRAM_BOT_TOKEN into .env');
    expect(err).toContain('works once, for 10 min');
  });
});

describe('passepartout chat', () => {
  it('sends each line, prints the replies, passes commands on and leaves at /exit', async () => {
    const { code, out } = await world.run(['chat'], { input: 'hello\n\n/help\n/exit\nnever sent\n' });
    expect(code).toBe(0);
    expect(out.trim().split('\n').sort()).toStrictEqual(['command help', 'you said: hello']);
  });

  it('shows an approval that waits, with how to decide it', async () => {
    const { out } = await world.run(['chat'], { input: 'needs a person\n' });
    expect(out).toMatch(/^This waits for your yes:\n(?:fefefe {2})?Use call-webhook: name “shop”/);
    expect(out).toContain('  approve: /approve fefefe\n  deny:    /deny fefefe\n');
  });

  it('says so when the stack refuses a message, and goes on', async () => {
    const { code, out } = await world.run(['chat'], { input: `${'x'.repeat(70_000)}\nhello\n` });
    expect(code).toBe(0);
    expect(out).toContain('(text is longer than 65536 characters)');
    expect(out).toContain('you said: hello');
  });
});

describe('passepartout doctor', () => {
  it('exits 0 when all is well', async () => {
    await world.console.dynamo.table.put(settingKey(SPACE, 'heartbeat'), { schemaVersion: 1, at: Date.now() });
    await world.console.dynamo.table.put(settingKey(SPACE, 'kill-switch'), {
      schemaVersion: 1,
      isStopped: false,
      by: 'console',
      at: Date.now(),
    });
    const { code, out } = await world.run(['doctor']);
    expect(out).toMatch(/^It can answer: yes\.$/m);
    expect(out).toMatch(/^ok {5}release {6}\d+\.\d+\.\d+, of the stack and of this command$/m);
    expect(out).toMatch(/^ok {5}health {7}healthy$/m);
    expect(code).toBe(0);
  });

  it('exits 1 and says what to do about everything that is wrong', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'passepartout-doctor-'));
    chmodSync(folder, 0o755);
    const { code, out } = await runCli(['doctor'], folder);
    expect(code).toBe(1);
    expect(out).toMatch(/^It can answer: no, because of stack: no stack is running on /);
    expect(out).toMatch(/wrong {2}files {8}others on this machine may read .*\n +→ chmod go-rwx/);
    expect(out).toMatch(/wrong {2}stack {8}no stack is running .*\n +→ start it with "npm start"/);
    expect((await runCli(['doctor', '--fix'], folder)).out).not.toContain('wrong  files');
    expect(statSync(folder).mode & 0o077).toBe(0);
    const [key, script, short] = ['sk-a-key-that-somebody-logged', 'the-token-of-a-script', 'sh0rt-"1'];
    writeFileSync(join(folder, 'functions.log'), `2026-11-25 reason refused ${key} and ${script}, ${short}\n`);
    const env = {
      DATA_DIR: folder,
      OPENAI_API_KEY: key,
      API_TOKENS: JSON.stringify({ ci: { token: script, scopes: ['read'] } }),
      WEBHOOK_SECRETS: JSON.stringify({ ci: { scheme: 'bearer', secret: short } }),
    };
    const bundle = join(folder, 'bundle.json');
    await runCli(['doctor', '--bundle', bundle], folder, { env });
    const written = readFileSync(bundle, 'utf8');
    expect(JSON.parse(written)).toMatchObject({
      canAnswer: false,
      settings: ['DATA_DIR', 'API_TOKENS', 'OPENAI_API_KEY', 'WEBHOOK_SECRETS'],
      log: ['2026-11-25 reason refused … and …, …', ''],
    });
    expect((await runCli(['doctor', '--bundle', bundle], folder, { env })).err).toContain('is there already');
    const faulty = await runCli(['doctor'], folder, { env: { TIME_ZONE: 'Mars/One', BUGDET_DAY_USD: '3' } });
    expect(faulty.out).toMatch(/^It can answer: no, because of settings: BUGDET_DAY_USD: .*; TIME_ZONE: must be/);
    const file = join(folder, 'file');
    writeFileSync(file, '');
    expect((await runCli(['doctor'], file)).out).toContain(
      `wrong  data folder  ${file} cannot be used: a file stands where a folder is needed; remove it, or set another DATA_DIR.`,
    );
    const anHourAgo = Date.now() - 60 * 60_000;
    const when = { kind: 'every', minutes: 5, from: anHourAgo } as const;
    await makeJob(world.console.dynamo.table, SPACE, sampleJob({ name: 'waits', when }), anHourAgo - 1);
    const stopped = await world.run(['stop']);
    expect(stopped.code).toBe(0);
    const { out: halted } = await world.run(['doctor']);
    expect(halted).toMatch(/^It can answer: no, because stopped: nothing is done .*: npx passepartout resume$/m);
    expect(halted).toMatch(
      /wrong {2}jobs .*due, and not started: .*waits\n +→ the stack is stopped: npx passepartout resume$/m,
    );
    const sick = await world.run(['doctor', '--json']);
    expect(sick.code).toBe(1);
    expect(JSON.parse(sick.out)).toMatchObject({ isOk: false, canAnswer: false });
    rmSync(folder, { recursive: true, force: true });
  });
});
