/** A person reads one line of each event that has a form. */
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { findTemplates } from '../../../lib/core/text/template.ts';
import { SCHEMES } from '../../../lib/features/webhooks/edge/sources.ts';
import { headers, NOW, of, type Parts, ROWS, type Row, SECRET, send, snsBody, TOPIC } from './scheme-rows.ts';

describe('forms', () => {
  const textOf = async (row: Row, changes: Partial<Parts> = {}): Promise<string> => {
    const parsed = await send(row, changes);
    return parsed.kind === 'signal' && parsed.signal.payload.sensor === 'webhook'
      ? parsed.signal.payload.text.map(({ text }) => text).join('\n')
      : JSON.stringify(parsed);
  };

  const alert = {
    status: 'firing',
    commonLabels: { alertname: 'DiskFull', instance: 'db-1' },
    commonAnnotations: { summary: '/ is at 97 %' },
  };
  const pull = {
    action: 'opened',
    number: 7,
    pull_request: { title: 'Mend\nthe clock', html_url: 'https://github.com/a/b/pull/7' },
    repository: { full_name: 'a/b' },
    sender: { login: 'ada' },
  };
  const github = (event: string): Row => {
    const row = ROWS.github as Row;
    return {
      ...row,
      make: (body, at) =>
        headers({ ...(row.make(body, at).headers as Record<string, string>), 'x-github-event': event }),
    };
  };
  it.each<[string, Row, unknown, string]>([
    [
      'a pull request',
      github('pull_request'),
      pull,
      'ada opened pull request #7 “Mend the clock” in a/b: https://github.com/a/b/pull/7',
    ],
    ['an event without a form', github('fork'), { action: 'x' }, '{"action":"x"}'],
    ['a member that is missing', github('ping'), { zen: 'Keep it simple' }, 'GitHub says hello from : Keep it simple'],
    ['a body with no member of its form', github('ping'), { hook_id: 7 }, '{"hook_id":7}'],
    [
      'what nobody sees, or turns letters round, spelled out',
      { ...(ROWS.bearer as Row), entry: of('alertmanager') },
      { ...alert, commonAnnotations: { summary: 'ok \u202egnihton\u{e0061}\u200b 👩‍🚀' } },
      'DiskFull on db-1: ok \\u{202e}gnihton\\u{e0061}\\u{200b} 👩‍🚀',
    ],
    ['also in a body without a form', github('fork'), { action: 'x\u202e' }, '{"action":"x\\u{202e}"}'],
    ['an alert', { ...(ROWS.bearer as Row), entry: of('alertmanager') }, alert, 'DiskFull on db-1: / is at 97 %'],
    [
      'a form of the owner',
      { ...(ROWS.bearer as Row), entry: of('bearer', { form: 'Disk {{commonLabels.instance}}!' }) },
      alert,
      'Disk db-1!',
    ],
    [
      'a line of EVENT_FORMS first of all',
      {
        ...(ROWS.bearer as Row),
        entry: of('bearer', { form: 'Disk {{commonLabels.instance}}!' }),
        make: () => ({
          ...headers({ authorization: `Bearer ${SECRET}` }),
          eventForms: { shop: { firing: 'Fire at {{commonLabels.instance}}' } },
        }),
      },
      alert,
      'Fire at db-1',
    ],
    [
      'a form that says nothing',
      { ...(ROWS.bearer as Row), entry: of('bearer', { form: '{{nothing}}' }) },
      { a: 1 },
      '{"a":1}',
    ],
  ])('shows %s', async (_, row, body, text) => {
    expect(await textOf(row, { body: JSON.stringify(body), ...row.make(JSON.stringify(body), NOW) })).toBe(text);
  });

  /** Of alerts that Alertmanager sends together. */
  const alertsOf = (status: string, ...labels: Record<string, string>[]) =>
    labels.map((one) => ({ status, labels: one, annotations: { summary: `${one.mount ?? '/'} is at 97 %` } }));
  const group = (status: string, alerts: readonly object[], commonLabels: object = {}) => ({
    ...{ version: '4', status, receiver: 'agent', groupLabels: {}, commonLabels, commonAnnotations: {}, alerts },
  });
  const db = (n: number) => ({ alertname: 'DiskFull', instance: `db-${n}` });
  it.each<[string, object, string]>([
    [
      'two instances',
      group('firing', alertsOf('firing', db(1), db(2)), { alertname: 'DiskFull' }),
      'DiskFull on db-1: / is at 97 % and 1 more',
    ],
    [
      'three names',
      group('firing', alertsOf('firing', { alertname: 'A' }, { alertname: 'B' }, { alertname: 'C' })),
      'A: / is at 97 % and 2 more',
    ],
    [
      'one that is over',
      group('firing', [...alertsOf('resolved', db(1)), ...alertsOf('firing', db(2))], { alertname: 'DiskFull' }),
      'DiskFull on db-2: / is at 97 % (1 resolved)',
    ],
    [
      'all of them over',
      group('resolved', alertsOf('resolved', db(1), db(2)), { alertname: 'DiskFull' }),
      'resolved: DiskFull on db-1: / is at 97 % and 1 more',
    ],
    [
      'a severity',
      {
        status: 'firing',
        alerts: [
          {
            status: 'firing',
            labels: { alertname: 'DiskAlmostFull', severity: 'critical', instance: 'db-1' },
            annotations: { summary: 'Disk of db-1 is 93 percent full' },
          },
        ],
      },
      'DiskAlmostFull on db-1, critical: Disk of db-1 is 93 percent full',
    ],
    [
      'members of other kinds',
      { status: 'firing', alerts: 'none', commonLabels: { alertname: 7 } },
      '{"status":"firing","alerts":"none","commonLabels":{"alertname":7}}',
    ],
  ])('tells a group of alerts with %s', async (_, body, text) => {
    expect(await textOf(ROWS.alertmanager as Row, { body: JSON.stringify(body) })).toBe(text);
  });

  const alarm = {
    ...{ AlarmName: 'cpu', AlarmDescription: null, NewStateValue: 'ALARM', OldStateValue: 'OK' },
    NewStateReason: 'Threshold Crossed: 1 datapoint [97.0] was greater than the threshold (90.0).',
    Trigger: { MetricName: 'CPUUtilization', Dimensions: [{ name: 'InstanceId', value: 'i-1' }] },
  };
  const SNS = ROWS.sns as Row;
  it.each<[string, Row, Record<string, string>, string]>([
    [
      'an alarm of CloudWatch',
      SNS,
      { Message: JSON.stringify(alarm) },
      'cpu is ALARM: Threshold Crossed: 1 datapoint [97.0] was greater than the threshold (90.0).',
    ],
    ['a text', SNS, { Subject: 'Backup', Message: 'It is done.' }, 'Backup: It is done.'],
    ['other JSON', SNS, { Subject: 'Build', Message: '{"n":[1]}' }, 'Build: {"n":[1]}'],
    [
      'other JSON in a line of the owner',
      { ...SNS, entry: { scheme: 'sns', secret: TOPIC, form: '{{Message.n}} of {{Message.of.name}}{{Message.of}}' } },
      { Message: '{"n":7,"of":{"name":"x"}}' },
      '7 of x',
    ],
  ])('tells %s of SNS', async (_, row, message, text) => {
    expect(await textOf(row, { body: snsBody(message) })).toBe(text);
  });
  it('keeps the message of SNS as it was sent', async () => {
    const parsed = await send(SNS, { body: snsBody({ Message: JSON.stringify(alarm) }) });
    const { payload } = parsed.kind === 'signal' ? parsed.signal : {};
    expect(payload?.sensor === 'webhook' && payload.body).toMatchObject({ Message: JSON.stringify(alarm) });
  });

  const repository = { full_name: 'ada/clock' };
  const ORDER = { admin_graphql_api_id: 'gid://shopify/Order/1001', name: '#1001', email: 'a@b.c' };
  const sender = { login: 'ada' };
  const project = { path_with_namespace: 'ada/clock', web_url: 'https://gitlab.com/ada/clock' };
  const issueOf = (iid: number, action: string, more: object = {}) => ({
    ...{ user: { name: 'Ada' }, project },
    object_attributes: { iid, action, title: 'It is late', url: `https://gitlab.com/ada/clock/${iid}`, ...more },
  });
  const object = (values: object) => ({ data: { object: { id: 'in_1', ...values } } });
  const money = { amount: 4200, amount_due: 4200, currency: 'eur' };
  /** Bodies in the shape that each service documents, and the line a person reads. */
  const LINES: readonly (readonly [scheme: string, form: string, header: string, body: object, line: string])[] = [
    [
      ...(['github', 'push', 'push'] as const),
      {
        ref: 'refs/heads/main',
        pusher: { name: 'ada' },
        repository,
        head_commit: { message: 'Mend it' },
        compare: 'https://x/c',
      },
      'ada pushed to refs/heads/main of ada/clock: “Mend it” https://x/c',
    ],
    [
      ...(['github', 'pull_request', 'pull_request'] as const),
      { action: 'closed', number: 7, pull_request: { title: 'Mend it', html_url: 'https://x/7' }, repository, sender },
      'ada closed pull request #7 “Mend it” in ada/clock: https://x/7',
    ],
    [
      ...(['github', 'pull_request_review', 'pull_request_review'] as const),
      {
        ...{ action: 'submitted', sender, repository, pull_request: { number: 7, title: 'Mend it' } },
        review: { state: 'approved', body: 'Well done', html_url: 'https://x/r' },
      },
      'ada reviewed pull request #7 “Mend it” (approved): Well done https://x/r',
    ],
    [
      ...(['github', 'issues', 'issues'] as const),
      { action: 'opened', issue: { number: 3, title: 'It is late', html_url: 'https://x/3' }, repository, sender },
      'ada opened issue #3 “It is late” in ada/clock: https://x/3',
    ],
    [
      ...(['github', 'issue_comment', 'issue_comment'] as const),
      {
        action: 'created',
        issue: { number: 3, title: 'It is late' },
        comment: { body: 'So it is', html_url: 'https://x/c' },
        sender,
      },
      'ada on #3 “It is late”: So it is https://x/c',
    ],
    [
      ...(['github', 'release', 'release'] as const),
      { action: 'published', release: { tag_name: 'v1', html_url: 'https://x/v1' }, repository, sender },
      'ada published release v1 of ada/clock: https://x/v1',
    ],
    [
      ...(['github', 'workflow_run', 'workflow_run'] as const),
      {
        ...{ action: 'completed', repository, sender },
        workflow_run: { name: 'CI', head_branch: 'main', conclusion: 'failure', html_url: 'https://x/w' },
      },
      'Workflow “CI” completed on main of ada/clock: failure https://x/w',
    ],
    [
      ...(['github', 'deployment_status', 'deployment_status'] as const),
      {
        deployment: { environment: 'production' },
        deployment_status: { state: 'success', log_url: 'https://x/l' },
        repository,
      },
      'Deployment of ada/clock to production: success https://x/l',
    ],
    [
      ...(['github', 'ping', 'ping'] as const),
      { zen: 'Keep it simple', repository },
      'GitHub says hello from ada/clock: Keep it simple',
    ],
    [
      ...(['gitea', 'push', 'push'] as const),
      {
        ref: 'refs/heads/main',
        pusher: sender,
        repository,
        head_commit: { message: 'Mend it' },
        compare_url: 'https://x/c',
      },
      'ada pushed to refs/heads/main of ada/clock: “Mend it” https://x/c',
    ],
    [
      ...(['gitea', 'pull_request', 'pull_request'] as const),
      { action: 'opened', number: 7, pull_request: { title: 'Mend it', html_url: 'https://x/7' }, repository, sender },
      'ada opened pull request #7 “Mend it” in ada/clock: https://x/7',
    ],
    [
      ...(['gitea', 'issues', 'issues'] as const),
      { action: 'closed', issue: { number: 3, title: 'It is late', html_url: 'https://x/3' }, repository, sender },
      'ada closed issue #3 “It is late” in ada/clock: https://x/3',
    ],
    [
      ...(['gitea', 'release', 'release'] as const),
      { action: 'published', release: { tag_name: 'v1', html_url: 'https://x/v1' }, repository, sender },
      'ada published release v1 of ada/clock: https://x/v1',
    ],
    [
      ...(['gitlab, secret token', 'push', ''] as const),
      { object_kind: 'push', user_name: 'Ada', ref: 'refs/heads/main', project, commits: [{ message: 'Mend it' }] },
      'Ada pushed to refs/heads/main of ada/clock: “Mend it” https://gitlab.com/ada/clock',
    ],
    [
      ...(['gitlab, secret token', 'merge_request', ''] as const),
      { object_kind: 'merge_request', ...issueOf(7, 'open') },
      'Ada: merge request !7 “It is late” of ada/clock, open: https://gitlab.com/ada/clock/7',
    ],
    [
      ...(['gitlab, secret token', 'issue', ''] as const),
      { object_kind: 'issue', ...issueOf(3, 'close') },
      'Ada: issue #3 “It is late” of ada/clock, close: https://gitlab.com/ada/clock/3',
    ],
    [
      ...(['gitlab, secret token', 'note', ''] as const),
      { object_kind: 'note', ...issueOf(3, 'create', { note: 'So it is' }) },
      'Ada in ada/clock: So it is https://gitlab.com/ada/clock/3',
    ],
    [
      ...(['gitlab, secret token', 'pipeline', ''] as const),
      { object_kind: 'pipeline', project, object_attributes: { ref: 'main', status: 'failed', url: 'https://x/p' } },
      'Pipeline on main of ada/clock: failed https://x/p',
    ],
    [
      ...(['stripe', 'invoice', ''] as const),
      {
        id: 'evt_1',
        type: 'invoice.payment_failed',
        ...object({ ...money, customer_email: 'a@b.c', hosted_invoice_url: 'https://x/i' }),
      },
      'Stripe: invoice.payment_failed for a@b.c, 4200 eur in its smallest unit: https://x/i',
    ],
    [
      ...(['stripe', 'charge', ''] as const),
      {
        id: 'evt_1',
        type: 'charge.failed',
        ...object({ ...money, failure_message: 'declined', receipt_url: 'https://x/r' }),
      },
      'Stripe: charge.failed of 4200 eur in its smallest unit, declined https://x/r',
    ],
    [
      ...(['stripe', 'payment_intent', ''] as const),
      { id: 'evt_1', type: 'payment_intent.succeeded', ...object(money) },
      'Stripe: payment_intent.succeeded of 4200 eur in its smallest unit',
    ],
    [...(['stripe', '', ''] as const), { id: 'evt_1', type: 'payout.paid', ...object({}) }, 'Stripe: payout.paid in_1'],
    [
      ...(['slack', 'app_mention', ''] as const),
      {
        type: 'event_callback',
        event_id: 'Ev1',
        event: { type: 'app_mention', user: 'U1', channel: 'C1', text: 'Hello' },
      },
      'U1 in C1: Hello',
    ],
    [
      ...(['slack', 'message', ''] as const),
      { type: 'event_callback', event_id: 'Ev1', event: { type: 'message', user: 'U1', channel: 'C1', text: 'Hi' } },
      'U1 in C1: Hi',
    ],
    [
      ...(['linear', 'Issue', ''] as const),
      {
        ...{ type: 'Issue', action: 'update', webhookTimestamp: NOW, actor: { name: 'Ada' }, url: 'https://x/E-1' },
        data: { identifier: 'E-1', title: 'It is late', state: { name: 'Done' } },
      },
      'Ada: update issue E-1 “It is late”, Done: https://x/E-1',
    ],
    [
      ...(['linear', 'Comment', ''] as const),
      {
        ...{ type: 'Comment', action: 'create', webhookTimestamp: NOW, actor: { name: 'Ada' }, url: 'https://x/c' },
        data: { body: 'So it is', issue: { title: 'It is late' } },
      },
      'Ada on “It is late”: So it is https://x/c',
    ],
    [
      ...(['shopify', 'orders/create', 'orders/create'] as const),
      { ...ORDER, total_price: '42.00', currency: 'EUR' },
      'Order #1001 of a@b.c: 42.00 EUR',
    ],
    [
      ...(['shopify', 'orders/paid', 'orders/paid'] as const),
      { ...ORDER, total_price: '42.00', currency: 'EUR', financial_status: 'paid' },
      'Order #1001 of a@b.c is paid: 42.00 EUR',
    ],
    [
      ...(['shopify', 'orders/cancelled', 'orders/cancelled'] as const),
      { ...ORDER, cancelled_at: '2026-01-15T12:00:00Z', cancel_reason: 'customer' },
      'Order #1001 of a@b.c is cancelled: customer',
    ],
    [
      ...(['sentry', 'issue', 'issue'] as const),
      { action: 'created', data: { issue: { title: 'TypeError', project: { slug: 'shop' }, web_url: 'https://x/1' } } },
      'Sentry issue created: TypeError in shop https://x/1',
    ],
    [
      ...(['sentry', 'event_alert', 'event_alert'] as const),
      { action: 'triggered', data: { triggered_rule: 'Many', event: { title: 'TypeError', web_url: 'https://x/2' } } },
      'Sentry alert “Many”: TypeError https://x/2',
    ],
    [
      ...(['sentry', 'metric_alert', 'metric_alert'] as const),
      { action: 'critical', data: { description_title: 'Errors over 10', web_url: 'https://x/3' } },
      'Sentry alert critical: Errors over 10 https://x/3',
    ],
    [
      ...(['pagerduty', 'incident', ''] as const),
      {
        event: {
          ...{ id: '01', event_type: 'incident.triggered' },
          data: { number: 12, title: 'Down', service: { summary: 'Shop' }, html_url: 'https://x/12' },
        },
      },
      'PagerDuty: incident.triggered #12 “Down” of Shop: https://x/12',
    ],
    [
      ...(['grafana, without a time', '', ''] as const),
      {
        status: 'firing',
        title: '[FIRING:1] Disk',
        commonAnnotations: { summary: 'It is full' },
        externalURL: 'https://x/g',
      },
      '[FIRING:1] Disk It is full https://x/g',
    ],
    [
      ...(['bitbucket', '', 'repo:push'] as const),
      { actor: { display_name: 'Ada' }, repository, push: { changes: [{ new: { name: 'main' } }] } },
      'Ada pushed to main of ada/clock:',
    ],
    [
      ...(['gitlab, secret token', 'tag_push', ''] as const),
      { object_kind: 'tag_push', user_name: 'Ada', ref: 'refs/tags/v1', message: 'First', project },
      'Ada pushed to refs/tags/v1 of ada/clock: “First” https://gitlab.com/ada/clock',
    ],
    [
      ...(['stripe', 'charge.refunded', ''] as const),
      { id: 'evt_1', type: 'charge.refunded', ...object({ ...money, amount_refunded: 500 }) },
      'Stripe: 500 of 4200 eur in its smallest unit are refunded:',
    ],
    [
      ...(['pagerduty', 'incident.annotated', ''] as const),
      {
        event: { id: '01', event_type: 'incident.annotated', data: { content: 'Full', incident: { summary: 'Down' } } },
      },
      'PagerDuty: a note on “Down”: Full',
    ],
    [
      ...(['discord', 'interaction', ''] as const),
      { id: '1', type: 2, data: { name: 'x' } },
      'somebody used “x” in Discord',
    ],
    [...(['twilio', '', ''] as const), { MessageStatus: 'sent', To: '+1' }, 'Message to +1: sent'],
    [
      ...(['zoom', '', ''] as const),
      { event: 'meeting.ended', payload: { object: { topic: 'Plan' } } },
      'Zoom: meeting.ended “Plan”',
    ],
    [
      ...(['typeform', 'form_response', ''] as const),
      { event_id: '1', event_type: 'form_response', form_response: { definition: { title: 'Trip' }, answers: [] } },
      'An answer to “Trip”:',
    ],
    [
      ...(['meta', '', ''] as const),
      { object: 'page', entry: [{ messaging: [{ sender: { id: '7' }, message: { text: 'Hi' } }] }] },
      '7: Hi',
    ],
    [
      ...(['alertmanager', '', ''] as const),
      group('firing', alertsOf('firing', db(1)), db(1)),
      'DiskFull on db-1: / is at 97 %',
    ],
    [
      ...(['calcom', '', ''] as const),
      { triggerEvent: 'BOOKING_CREATED', payload: { title: 'Ada and Bob', startTime: '2026-01-16T09:00:00Z' } },
      'BOOKING_CREATED: Ada and Bob, 2026-01-16T09:00:00Z',
    ],
  ];
  /** Headers that name the event. */
  const NAMING = ['x-github-event', 'x-gitea-event', 'x-shopify-topic', 'sentry-hook-resource'];

  it.each(LINES)('%s, %s', async (name, _form, event, body, line) => {
    const row = ROWS[name] as Row;
    const make: Row['make'] = (text, at) => {
      const made = row.make(text, at);
      const named = NAMING.flatMap((header) => (header in (made.headers ?? {}) ? [[header, event]] : []));
      return { ...made, headers: { ...made.headers, ...Object.fromEntries(named) } };
    };
    expect(await textOf({ ...row, body: JSON.stringify(body), make })).toBe(line);
  });

  it('has a line here for each form', () => {
    const schemeOf = (name: string): string => name.split(',')[0] ?? '';
    const read = LINES.map(([name, form]) => `${schemeOf(name)} ${form}`);
    const all = Object.entries(SCHEMES).flatMap(([name, { forms = {} }]) =>
      Object.keys(forms).map((form) => `${name} ${form}`),
    );
    expect(read.toSorted()).toStrictEqual(all.filter((one) => one !== 'sns Notification').toSorted());
  });

  it('keeps hash, size and the fields of the form of a body that the table cannot take', async () => {
    const body = JSON.stringify({ ...pull, pull_request: { ...pull.pull_request, body: 'x'.repeat(300_000) } });
    const parsed = await send(github('pull_request'), { body, ...github('pull_request').make(body, NOW) });
    if (parsed.kind !== 'signal' || parsed.signal.payload.sensor !== 'webhook') throw new Error('it was refused');
    const { pull_request, ...rest } = pull;
    expect(parsed.signal.payload.body).toStrictEqual({
      sha256: createHash('sha256').update(body).digest('hex'),
      bytes: body.length,
      ...rest,
      pull_request,
    });
    const huge = 'x'.repeat(1024 * 1024 + 1);
    expect(await send(ROWS.bearer as Row, { body: huge })).toMatchObject({ status: 413 });
  });

  it('cuts a value that is long, and reads no template in one', async () => {
    const body = JSON.stringify({ a: `{{b}}${'x'.repeat(5000)}`, b: 'secret' });
    const text = await textOf({ ...(ROWS.bearer as Row), entry: of('bearer', { form: 'It says {{a}}' }) }, { body });
    expect(text).toMatch(/^It says \{\{b\}\}x{595}$/);
  });

  it('are templates of paths, each one line', () => {
    const forms = Object.values(SCHEMES).flatMap((scheme) => Object.values(scheme.forms ?? {}));
    expect(forms.length).toBeGreaterThan(20);
    for (const form of forms) expect([findTemplates(form).bad, form.includes('\n')], form).toStrictEqual([[], false]);
  });
});
