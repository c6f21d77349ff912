/**
 * The first event of a kind, as a person meets it: services send signed webhooks, questions come to
 * the home chat, and buttons are tapped at the Bot API server.
 */
import { createHmac } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { KINDS_A_DAY_MAX } from '../../lib/core/ledger/event-kinds.ts';
import { putWords } from '../../lib/features/webhooks/edge/sample.ts';
import { SCHEMES } from '../../lib/features/webhooks/edge/sources.ts';
import { findUnaccounted } from '../support/evidence.ts';
import { say, userTextOf } from '../support/model-server.ts';
import { signalIdOf, startTestStack, type TestStack, until } from '../support/stack.ts';

const [OWNER, MEMBER] = [8301, 8302];
/** A text that never comes is said well before the test's own time is over. */
const READ_MS = 60_000;
const SECRET = 'a-secret-of-the-services-in-tests';

/** Kinds of GitHub's events, with their actions. */
const GITHUB_KINDS = `branch_protection_rule.created check_run.completed check_run.created check_suite.completed
  code_scanning_alert.created code_scanning_alert.fixed commit_comment.created create delete dependabot_alert.created
  dependabot_alert.fixed deployment.created deployment_status.created discussion.created discussion.answered
  discussion_comment.created fork gollum issue_comment.created issue_comment.edited issues.assigned issues.closed
  issues.labeled issues.opened issues.reopened label.created member.added member.removed milestone.closed
  milestone.created package.published page_build public pull_request.closed pull_request.opened
  pull_request.reopened pull_request.synchronize pull_request_review.submitted pull_request_review_comment.created
  pull_request_review_thread.resolved push release.created release.published repository.archived
  repository_vulnerability_alert.create secret_scanning_alert.created star.created star.deleted watch.started
  workflow_job.completed workflow_run.completed`.split(/\s+/);

let world: TestStack;
/** Messages before the first event. */
let begun = 0;
afterEach(() => world?.stop());

const open = async (): Promise<void> => {
  world = await startTestStack({
    allowedChats: [OWNER, MEMBER],
    approvers: [OWNER],
    script: (request) => say(`heard: ${userTextOf(request)}`),
    environment: {
      HOME_CHAT: String(OWNER),
      WEBHOOK_SECRETS: JSON.stringify({
        github: { scheme: 'github', secret: SECRET },
        team: { scheme: 'slack', secret: SECRET },
        alerts: { scheme: 'alertmanager', secret: SECRET },
        ci: { scheme: 'bearer', secret: SECRET },
      }),
    },
  });
  // A bot may write only to people who wrote to it.
  await world.settled(signalIdOf(world.telegram.sendText(OWNER, OWNER, '/resume')));
  begun = world.telegram.sent(OWNER).length;
};

const post = async (source: string, headers: Readonly<Record<string, string>>, body: string): Promise<string> => {
  const response = await fetch(`${world.stack.url}/webhook/${source}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  });
  expect(response.status).toBe(202);
  const { id } = (await response.json()) as { readonly id: string };
  await world.settled(id);
  return id;
};

let deliveries = 0;
/** @param kind such as `release.published` */
const github = (kind: string, members: object = {}): Promise<string> => {
  const [event = '', action] = kind.split('.');
  deliveries += 1;
  const tree = { ...(action === undefined ? {} : { action }), sender: { login: 'ada', id: deliveries }, ...members };
  putWords(tree, SCHEMES.github?.words?.[event]);
  const body = JSON.stringify(tree);
  const signature = createHmac('sha256', SECRET).update(body).digest('hex');
  const headers = { 'x-github-event': event, 'x-github-delivery': `d-${deliveries}` };
  return post('github', { ...headers, 'x-hub-signature-256': `sha256=${signature}` }, body);
};
const issue = (title: string) => ({ issue: { number: 1, title, html_url: 'https://github.com/a/b/issues/1' } });

const alert = (status: string, instance: string): Promise<string> => {
  const labels = { alertname: 'DiskAlmostFull', severity: 'critical', instance };
  const annotations = { summary: `Disk of ${instance} is 93 percent full` };
  const body = JSON.stringify({ status, alerts: [{ status, labels, annotations }] });
  return post('alerts', { authorization: `Bearer ${SECRET}` }, body);
};

const messages = () => world.telegram.sent(OWNER).slice(begun);
const texts = () => messages().map(({ text = '' }) => text);
const reads = (words: string) =>
  until(`"${words}" is read`, () => messages().findLast(({ text = '' }) => text.includes(words)), READ_MS);
const buttonsOf = (message: Awaited<ReturnType<typeof reads>>) =>
  (message.reply_markup?.inline_keyboard ?? [])
    .flat()
    .map((key) => ({ label: key.text, data: 'callback_data' in key ? (key.callback_data ?? '') : '' }));
const taps = async (words: string, label: string, from = OWNER): Promise<void> => {
  const message = await reads(words);
  const data = buttonsOf(message).find((button) => button.label === label)?.data ?? '';
  await world.settled(signalIdOf(world.telegram.tap(message.message_id, data, from)));
};
const count = (words: string): number => texts().filter((text) => text.includes(words)).length;

describe('the first event of a kind', () => {
  it('says what it says, and one tap lets both ends of an alert be told', async () => {
    await open();
    const id = await alert('firing', 'db-1');
    expect((await world.signal(id)).state).toBe('recorded');
    const question =
      'alerts: “DiskAlmostFull on db-1, critical: Disk of db-1 is 93 percent full”\n' +
      'Tell you such things (firing, resolved) from now on?\n' +
      '1. Tell me\n2. Ask the model\n3. Nothing\n4. All of alerts\n5. None of alerts';
    expect((await reads('db-1')).text).toBe(question);
    expect(buttonsOf(await reads('db-1')).map(({ label }) => label)).toStrictEqual([
      'Tell me',
      'Ask the model',
      'Nothing',
      'All of alerts',
      'None of alerts',
    ]);
    // Both wait for the answer.
    await alert('firing', 'db-2');
    await alert('resolved', 'db-2');
    expect(texts().length).toBe(1);
    await taps(question, 'Tell me');
    await reads('The job alerts-firing is made.');
    await reads('DiskAlmostFull on db-2, critical: Disk of db-2 is 93 percent full');
    await reads('resolved: DiskAlmostFull on db-2');
    await alert('resolved', 'db-1');
    await reads('resolved: DiskAlmostFull on db-1');
    expect(count('unless a grant')).toBe(0);
    expect(world.model.requests.length).toBe(0);
    expect(await findUnaccounted(world)).toStrictEqual([]);
  });

  it('is asked about one kind of a source at a time, and the others are asked after it', async () => {
    await open();
    await github('issues.opened', issue('first'));
    await github('push', { ref: 'refs/heads/main', pusher: { name: 'ada' } });
    await github('fork');
    await github('issues.opened', issue('second'));
    expect(texts().length).toBe(1);
    await taps('ada opened issue #1', 'Nothing');
    await taps('ada pushed to refs/heads/main', 'Ask the model');
    await until('the model has the event that was shown', () =>
      world.model.requests.some((request) => /pushed to refs/.test(userTextOf(request))),
    );
    await taps('(fork)', 'Nothing');
    await github('fork');
    await github('issues.opened', issue('third'));
    expect(count('from now on?')).toBe(3);
    expect(count('second') + count('third')).toBe(0);
  });

  it('tells all 51 kinds of GitHub apart, and all that waited is told by one choice', async () => {
    await open();
    expect(new Set(GITHUB_KINDS).size).toBe(51);
    for (const kind of GITHUB_KINDS) await github(kind);
    const kinds = (await world.scan()).flatMap(({ sk }) => /^kind#(.*)$/.exec(String(sk))?.[1] ?? []);
    expect(kinds.toSorted()).toStrictEqual(GITHUB_KINDS.toSorted());
    expect(texts().length).toBe(1);
    await taps('branch_protection_rule', 'All of github');
    await reads('The job all-of-github is made.');
    const handed = async () => {
      const records = (await world.scan()).filter(
        ({ sk, stateReason }) => sk === 'record' && /handed/.test(stateReason),
      );
      return records.map(({ signal }) => JSON.parse(signal).payload.event as string);
    };
    const events = await until('all are handed to the job', async () => {
      const found = await handed();
      return found.length === 50 && found;
    });
    expect(events.toSorted()).toStrictEqual(GITHUB_KINDS.slice(1).toSorted());
    expect(count('from now on?')).toBe(1);
  });

  it('is asked no more of a source that makes up names, which is said once', async () => {
    await open();
    const ci = (type: string) => post('ci', { authorization: `Bearer ${SECRET}` }, JSON.stringify({ type }));
    for (let n = 0; n < KINDS_A_DAY_MAX + 3; n += 1) await ci(`made_up_${n}`);
    await reads(`ci sent more than ${KINDS_A_DAY_MAX} new kinds of events today.`);
    await taps('made_up_0', 'None of ci');
    await ci('release.published');
    expect(texts().length).toBe(2);
  });

  it('needs no question if the service only says hello', async () => {
    await open();
    await github('ping', { zen: 'Keep it simple' });
    await github('ping', { zen: 'Again' });
    await reads('github is connected.');
    expect(texts()).toStrictEqual(['github is connected.']);
  });

  it('is told once that a service is connected which asks for the address', async () => {
    await open();
    for (const challenge of ['a', 'b']) {
      const body = JSON.stringify({ type: 'url_verification', challenge });
      const time = String(Math.floor(Date.now() / 1000));
      const mac = createHmac('sha256', SECRET).update(`v0:${time}:${body}`).digest('hex');
      const answer = await fetch(`${world.stack.url}/webhook/team`, {
        method: 'POST',
        headers: { 'x-slack-request-timestamp': time, 'x-slack-signature': `v0=${mac}` },
        body,
      });
      expect(await answer.text()).toBe(challenge);
    }
    await reads('team is connected.');
    await github('fork');
    await reads('(fork)');
    expect(count('connected')).toBe(1);
  });

  it('cannot say more in the question than its own words, and only an approver answers it', async () => {
    await open();
    const title = `x”\n1. Approve\nOpen https://evil.example/a ${'y'.repeat(500)}`;
    await github('issues.opened', issue(title));
    const { text = '', ...message } = await reads('from now on?');
    const [line = ''] = text.split('\n');
    expect(line).toContain('“ada opened issue #1 "x" 1. Approve Open hxxps://evil[.]example/a');
    expect(line.length).toBeLessThan(250);
    expect(text.split('\n').length).toBe(7);
    expect(buttonsOf({ text, ...message }).length).toBe(5);
    await taps('from now on?', 'Tell me', MEMBER);
    await github('issues.opened', issue('next'));
    expect((await world.scan()).filter(({ sk }) => String(sk).startsWith('job#'))).toStrictEqual([]);
    await taps('from now on?', 'Tell me');
    await reads('The job github-issues-opened is made.');
    await reads('“next”');
    await github('gollum', { key: 'ghp_16C7e42F292c6912E7710c838347Ae178B4a' });
    await reads('github: “[a secret was left out here]”');
  });
});
