/**
 * An owner's first hour with a bot: pair a chat by the printed line, decide cards by their buttons
 * in a private chat, a group and a topic, reply to the agent, edit a message, have a lost text sent
 * again, mend a wrong token, and take a chat out again.
 */
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, type ModelServerRequest, say, toolResultsOf, userTextOf } from '../support/model-server.ts';
import { until } from '../support/stack.ts';
import { type Home, openHome } from './support/home.ts';
import { commandsIn } from './support/printed.ts';
import { telegramPerson } from './support/telegram-person.ts';

const [OWNER, GROUP, FORUM, TOPIC] = [7001, -1_007_000_000_001, -1_007_000_000_002, 12];
const STRANGER = 7002;
const SECRET = `whsec_${Buffer.from('the secret of the deployer').toString('base64')}`;

/** What the deployer was told to deploy. */
const deployed: string[] = [];
/** Deployments that go on now. */
let open = 0;
/** Deployments of these names take until then. */
const release = { slow: Promise.withResolvers<void>(), held: Promise.withResolvers<void>() };
const deployer = createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request) body += chunk;
  const { ref } = JSON.parse(body);
  deployed.push(ref);
  open += 1;
  response.once('close', () => {
    open -= 1;
  });
  if (ref === 'slow' || ref === 'held') await release[ref as keyof typeof release].promise;
  response.writeHead(202).end('{"queued":true}');
});
const countOf = (ref: string) => deployed.filter((one) => one === ref).length;

/** Proposes a webhook for "deploy …", a job for "every …"; else tells what it was given to read. */
const script = (request: ModelServerRequest) => {
  const text = userTextOf(request);
  const every = /^every (\w+) say (.+)$/m.exec(text);
  if (every !== null && toolResultsOf(request).length === 0) {
    const [, time, words] = every;
    return call('schedule-job', {
      name: 'water',
      every: time,
      steps: [{ say: words }],
      explanation: 'it was asked for',
    });
  }
  const [, to = '', words = ''] = /^tell (\w+) that (.+)$/m.exec(text) ?? [];
  if (to !== '' && toolResultsOf(request).length === 0)
    return call('send-message', { to, text: words, explanation: 'the owner asked to tell them exactly this' });
  const ref = /^deploy (\S+)$/m.exec(text)?.[1];
  if (ref === undefined) return say(`I read: ${text}`);
  const results = toolResultsOf(request).length;
  const further = ref === 'moved' && results === 1 ? 'further' : undefined;
  if (results > 0 && further === undefined) return say(`Settled: ${ref}`);
  const body = { ref: further ?? ref };
  return call('call-webhook', { webhook: 'deploys', body, explanation: 'the owner asked for a deployment' });
};

let home: Home;
let program: Awaited<ReturnType<Home['start']>>;
beforeAll(async () => {
  await new Promise<void>((resolve) => deployer.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(deployer.address() as AddressInfo).port}/hook`;
  home = await openHome(script);
  home.set({
    ...home.modelSettings,
    ...home.telegramSettings,
    WEBHOOK_TARGETS: JSON.stringify({ deploys: { url, secret: SECRET } }),
    ALLOW_LOOPBACK_WEBHOOKS: '1',
  });
  program = await home.start();
});
afterAll(async () => {
  await home?.close();
  deployer.close();
});

interface Place {
  readonly chat: number;
  readonly topic?: number;
}
const [PRIVATELY, IN_GROUP, IN_TOPIC]: readonly Place[] = [
  { chat: OWNER },
  { chat: GROUP },
  { chat: FORUM, topic: TOPIC },
];
const personIn = ({ chat, topic }: Place = { chat: OWNER }, person = OWNER) =>
  telegramPerson(home.telegram, person, chat, topic);

/** Asks for a deployment and gives its card. */
const cardFor = (ref: string, place?: Place) => {
  personIn(place).says(`deploy ${ref}`);
  return personIn(place).reads(`{"ref":"${ref}"}`);
};

// The private chat comes first: whoever paired one is an approver in the groups.
describe.each([
  ['a private chat', PRIVATELY],
  ['a group', IN_GROUP],
  ['a topic of a group', IN_TOPIC],
])('an owner in %s', (_name, place) => {
  it('pairs it by the line that was printed', async () => {
    const owner = personIn(place);
    owner.says('hello');
    await owner.reads('serves only chats that are paired');
    owner.says(/\/pair [0-9A-Z-]+/.exec(await home.paste('npx passepartout pair'))?.[0] ?? '');
    await owner.reads(/^This (?:chat|group) is paired\./);
  });

  it('approves by the button of a card', async () => {
    const owner = personIn(place);
    const ref = `yes${place?.chat}`;
    expect(await owner.taps(await cardFor(ref, place), 'Approve')).toBe('');
    await owner.reads(/^Approved: Call the webhook deploys\b/);
    await owner.reads(`Settled: ${ref}`);
    expect(countOf(ref)).toBe(1);
  });

  it('makes a job in plain words, which answers there', async () => {
    const owner = personIn(place);
    owner.says('every 2h say drink water');
    const card = await owner.reads('say “drink water”');
    expect(card.text).not.toContain('outside text');
    expect(await owner.taps(card, 'Approve')).toBe('');
    const ran = await until('the job exists', async () => {
      const { code, out } = await home.run('npx passepartout jobs run water');
      return code === 0 && out;
    });
    expect(ran).not.toBe('');
    await owner.reads(/^drink water$/);
    await home.paste('npx passepartout jobs remove water');
  });

  it('replies to the agent and corrects a message, and the agent knows which', async () => {
    const owner = personIn(place);
    const written = owner.says('tea at four');
    const answer = await owner.reads(/I read:[\s\S]*tea at four/);
    // Nobody types a reply sooner. Act has noted by then that the message is the agent's own.
    await delay(1_000);
    owner.says('why so?', { reply_to_message: answer as never });
    const { text } = await owner.reads('I read: why so?');
    expect(text).toContain('[this answers your earlier message: I read: tea at four');
    expect(text).not.toContain('outside');
    owner.edits(written, 'tea at five');
    await owner.reads(/an earlier message was edited[\s\S]*tea at five/);
  });
});

it('sees at once that a yes counts, while the deployment still runs', async () => {
  const owner = personIn(PRIVATELY);
  await owner.taps(await cardFor('slow', PRIVATELY), 'Approve');
  await until('it is asked for', () => countOf('slow') === 1);
  await owner.reads(/ref “slow”[\s\S]*APPROVED by .* It is being done/);
  release.slow.resolve();
  await owner.reads('Settled: slow');
});

it('is told of a stop at once, while the deployment still runs', async () => {
  const owner = personIn(PRIVATELY);
  await owner.taps(await cardFor('held', PRIVATELY), 'Approve');
  await until('it is asked for', () => countOf('held') === 1);
  owner.says('STOP');
  await owner.reads(/^Stopped\. /);
  expect(open).toBe(1);
  release.held.resolve();
  owner.says('/resume');
  await owner.reads('Running again.');
});

describe('a receipt of what was done', () => {
  /** A stranger checks the file with the key alone. */
  const verified = async (text: string): Promise<string> => {
    const key = (await home.paste('npx passepartout evidence key')).trim();
    writeFileSync(join(home.folder, 'receipt.txt'), text);
    return home.paste(`npx passepartout verify receipt.txt --key "${key}"`);
  };
  const files = () =>
    home.telegram.calls.flatMap(({ method, params, outcome }) =>
      method === 'sendDocument' && outcome === 'ok' ? [params.document as { file_name: string; text: string }] : [],
    );

  it('comes as a document by the button below its explanation, and a stranger verifies it', async () => {
    const owner = personIn(PRIVATELY);
    owner.says('deploy receipt1');
    await owner.taps(await owner.reads('{"ref":"receipt1"}'), 'Approve');
    await owner.reads('Settled: receipt1');
    owner.says('/receipt');
    await until(
      'it answers',
      () => files().length > 0 || owner.screen().at(-1)?.includes('yet: ask again in a minute'),
    );
    // This waits until the log holds everything.
    await home.paste('npx passepartout evidence export --out all.jsonl');
    owner.says('/why');
    const why = await owner.reads(/^A proof of tg-\S+ for somebody else\?$/m);
    expect(owner.buttons(why)).toStrictEqual(['Receipt of #0', 'No']);
    expect(await owner.taps(why, 'Receipt of #0')).toBe('');
    await until('it came', () => files().length > 0);
    const { file_name: name, text } = files().at(-1) ?? { file_name: '', text: '' };
    expect(name).toMatch(/^receipt-tg-\d+-\d+-0\.txt$/);
    const told = await verified(text);
    expect(told).toContain(`telegram:${OWNER} approved exactly this hash`);
    expect(told).toContain('what the action was: only its hash is here');
    expect(text).not.toContain('receipt1');
    const [deed = ''] = /(?<=^A proof of )\S+/m.exec(why.text ?? '') ?? [];
    personIn(IN_GROUP).says(`/receipt ${deed}#0`);
    await personIn(IN_GROUP).reads(`I know of no task ${deed} here`);
  });

  it('comes as text in a terminal, of the last thing that was done there', async () => {
    await home.run('npx passepartout send "deploy receipt2"');
    const waiting = await home.paste('npx passepartout approvals --all');
    await home.paste(/npx passepartout approve \S+/.exec(waiting)?.[0] ?? 'false');
    await until('it is deployed', () => countOf('receipt2') === 1);
    await home.paste('npx passepartout evidence export --out more.jsonl');
    const said = await home.paste('npx passepartout send "/receipt"');
    expect(said).toMatch(/^\[file receipt-con-[\w-]+-0\.txt\]$/m);
    expect(await verified(said.slice(said.indexOf('{'), said.lastIndexOf('}') + 1))).toContain(
      'approved exactly this hash',
    );
  });
});

it('sends a text to a chat by the name it was given, and lets the agent do so after a yes', async () => {
  const [owner, group] = [personIn(PRIVATELY), personIn(IN_GROUP)];
  owner.says('/chats');
  const { text = '' } = await owner.reads(`${GROUP}: a group, paired on`);
  owner.says(`/chats name ${/^(\S+): a group/m.exec(text)?.[1]} Family`);
  const { text: named = '' } = await owner.reads('is named family');
  const [line = ''] = /\/send \S+/.exec(named) ?? [];
  owner.says(`${line} dinner is at eight`);
  await group.reads(/^dinner is at eight$/);
  await owner.reads(/^Sent\.$/);
  owner.says('tell family that it rains');
  const card = await owner.reads('This chat is named family.');
  expect(group.screen()).not.toContain('it rains');
  expect(await owner.taps(card, 'Approve')).toBe('');
  await group.reads(/^it rains$/);
  const clock = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString().slice(11, 16);
  owner.says(`/chats mute family ${clock(-60)}-${clock(60)}`);
  await owner.reads(/^The chat family is muted/);
  owner.says(`${line} good night`);
  await owner.reads(/^Kept back until \S+ \S+ UTC: the chat is muted/);
  group.says('are you there?');
  await group.reads('are you there?');
  expect(group.screen()).not.toContain('good night');
  owner.says('/chats mute family off');
  await owner.reads(/^The chat family is muted no more/);
  owner.says('/undo');
  const { text: shown = '' } = await owner.reads(/^The last change here: Set mute\./m);
  owner.says(/\/undo [0-9a-f]{6}/.exec(shown)?.[0] ?? '');
  await owner.reads(/^The chat \S+ is muted \d\d:\d\d-\d\d:\d\d/);
  owner.says('/chats mute family off');
});

it('denies, goes back, and allows similar actions by the buttons of cards', async () => {
  const owner = personIn();
  const refused = await cardFor('no');
  expect(owner.buttons(refused)).toStrictEqual(['Approve', 'Deny', 'Allow similar…']);
  expect(await owner.taps(refused, 'Deny')).toBe('');
  await owner.reads(/^Denied: Call the webhook deploys\b/);
  await until('the buttons are gone', () => owner.buttons(refused).length === 0);
  await owner.reads('Settled: no');
  expect(countOf('no')).toBe(0);

  const similar = await cardFor('again');
  expect(await owner.taps(similar, 'Allow similar…')).toBe('');
  await until('the choices are shown', () => owner.buttons(similar).includes('Back'));
  expect(owner.screen().join()).toContain(
    'Newly possible without a question: call-webhook to deploys, exactly as below.',
  );
  expect(await owner.taps(similar, 'Back')).toBe('');
  await until('the card is shown again', () => owner.buttons(similar).includes('Deny'));
  expect(await owner.taps(similar, 'Allow similar…')).toBe('');
  await until('the choices are shown again', () => owner.buttons(similar).includes('Back'));
  expect(await owner.taps(similar, /^3 more times until /)).toBe('');
  await owner.reads('Approved, and allowed 3 more times until ');
  await owner.reads('Settled: again');
  owner.says('deploy again');
  const settled = () => owner.screen().filter((text) => text === 'Settled: again');
  await until('it is settled again, without a question', () => settled().length === 2);
  expect(countOf('again')).toBe(2);
});

it('shows why behind one tap and what a tool returned, without a model, and counts what waits', async () => {
  const owner = personIn();
  const terminal = home.openScreen('npx passepartout');
  const counted = (cards: number) => terminal.shows(new RegExp(`\\(${cards} wait, \\d+ learned\\) >$`));
  await counted(0);
  const card = await cardFor('why1');
  await counted(1);
  await owner.taps(card, 'Approve');
  const answer = await owner.reads('Settled: why1');
  await counted(0);
  expect(owner.buttons(answer)).toStrictEqual(['Why?']);
  const line = await owner.taps(answer, 'Why?');
  expect(line).toMatch(/^\S+ · \d+ rules checked · \$\d+\.\d+ · \/why · \/output$/);
  const asked = home.model.requests.length;
  owner.says('/output');
  const { text = '' } = await owner.reads(/^call-webhook \(done\), /);
  expect(text).toContain('Words of others: each of their lines begins with >\n> {"status":202,');
  expect(await home.paste('npx passepartout send /output')).toMatch(/no tool returned anything|\(done\)/);
  expect(await home.paste(`npx passepartout output ${/tg-\S+#0/.exec(text)?.[0]}`)).toContain('> {"status":202,');
  expect(home.model.requests).toHaveLength(asked);
  terminal.type('/exit\r');
  await terminal.ends();
  await program.end();
  program = await home.start();
  expect(await owner.taps(answer, 'Why?')).toBe(line);
});

it('has a text sent again that was lost on its way', async () => {
  const owner = personIn();
  home.telegram.failNext('sendMessage', 'lost-request');
  owner.says('are you there?');
  const notice = await owner.reads('may not have arrived');
  expect(await owner.taps(notice, 'Send it again')).toBe('');
  await owner.reads('I read: are you there?');
});

it('settles a lost text by the command that /status prints', async () => {
  const owner = personIn();
  home.telegram.failNext('sendMessage', 'lost-request');
  owner.says('tea?');
  await owner.reads('My answer to “tea?” may not have arrived');
  owner.says('/status');
  const [settle = ''] = commandsIn((await owner.reads('Outcome unknown')).text ?? '');
  expect(await home.paste(settle)).toContain('counts as done');
});

it('hears a stranger in the group as a stranger', async () => {
  personIn(IN_GROUP, STRANGER).says('deploy theirs');
  await personIn(IN_GROUP).reads('outside text');
  const card = await personIn(IN_GROUP).reads('{"ref":"theirs"}');
  expect(await personIn(IN_GROUP, STRANGER).taps(card, 'Approve')).toContain('Only an approver may decide this');
  expect(personIn(IN_GROUP).screen().join()).not.toContain('Only an approver may decide this');
  expect(countOf('theirs')).toBe(0);
});

it('goes on in a group that becomes a supergroup: its jobs, its cards and its answers', async () => {
  const [before, after] = [-7_003, -1_007_000_000_003];
  const [old, owner] = [personIn({ chat: before }), personIn({ chat: after })];
  old.says(/\/pair [0-9A-Z-]+/.exec(await home.paste('npx passepartout pair'))?.[0] ?? '');
  await old.reads(/^This (?:chat|group) is paired\./);
  old.says('every 2h say drink water');
  await old.taps(await old.reads('say “drink water”'), 'Approve');
  await old.reads('every 2h say drink water');
  const { text = '' } = await cardFor('moved', { chat: before });
  home.telegram.moveGroup(before, after, OWNER);
  owner.says('are we still here?');
  await owner.reads('are we still here?');
  await home.paste('npx passepartout jobs run water');
  await owner.reads(/^drink water$/);
  owner.says(/\/approve \w+/.exec(text)?.[0] ?? '');
  const card = await owner.reads('{"ref":"further"}');
  expect(await owner.taps(card, 'Approve')).toBe('');
  await owner.reads(/ref “further”[\s\S]*APPROVED by .* Done\./);
  await owner.reads('Settled: moved');
  expect([countOf('moved'), countOf('further')]).toStrictEqual([1, 1]);
  await home.paste('npx passepartout jobs remove water');
  await home.paste(`npx passepartout chats remove ${after}`);
});

it('takes a chat out, and says why its buttons do nothing', async () => {
  const owner = personIn();
  const card = await cardFor('late', IN_GROUP);
  owner.says('/chats');
  await owner.reads(`${GROUP}: a group, paired on`);
  owner.says(`/chats remove ${GROUP}`);
  await owner.reads(`The chat ${GROUP} is removed`);
  expect(await personIn(IN_GROUP).taps(card, 'Approve')).toContain('This chat is not paired with me (any more)');
  const left = await home.paste('npx passepartout chats');
  expect(left).toContain(`${OWNER}: a private chat, paired on`);
  expect(left).not.toContain(String(GROUP));
  expect(countOf('late')).toBe(0);
});
