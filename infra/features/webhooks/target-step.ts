/** The step that connects a webhook the agent may call. */
import { randomBytes } from 'node:crypto';
import * as z from 'zod/mini';
import { SECOND_MS } from '../../../lib/core/base/limits.ts';
import { WebhookTarget } from '../../../lib/core/store/setting-forms.ts';
import { WEBHOOK_PRESETS } from '../../../lib/features/webhooks/presets.ts';
import { buildWebhookRequest } from '../../../lib/features/webhooks/request.ts';
import { problemOf } from '../../cli/setup/problem-of.ts';
import type { Questions } from '../../cli/setup/questions.ts';
import { fine, refused, type Step } from '../../cli/setup/step.ts';
import type { Variables } from '../../cli/stack.ts';
import { causeOf, printable } from '../../cli/terminal.ts';

const Targets = z.record(z.string(), WebhookTarget);
const targetsOf = ({ WEBHOOK_TARGETS: text }: Variables): z.infer<typeof Targets> =>
  text === undefined || problemOf('WEBHOOK_TARGETS', text) !== undefined ? {} : Targets.parse(JSON.parse(text));

const isAddress = (text: string): boolean =>
  /^https:\/\/\S+$/.test(text) || /^http:\/\/(?:127\.0\.0\.1|localhost)[:/]/.test(text);

/** The proof in each call, by which the receiver knows that it is ours. */
const askProof = async (questions: Questions): Promise<WebhookTarget> => {
  const proof = await questions.choose('How does it know that a call is yours?', [
    { value: 'secret', label: 'by a signature (Standard Webhooks): repeats do no harm' },
    { value: 'bearer', label: 'by a bearer token' },
    { value: 'none', label: 'by its address alone' },
  ]);
  if (proof === 'none') return {};
  if (proof === 'bearer') return { bearer: await questions.askSecret('Its token (not shown)') };
  return makeSecret(questions);
};

const makeSecret = (questions: Questions): WebhookTarget => {
  const secret = `whsec_${randomBytes(24).toString('base64')}`;
  questions.tell(`The receiver checks each call with this secret:\n${secret}`);
  return { secret };
};

/** A value that only the owner has, and where the service shows it. */
interface Needs {
  readonly url?: string;
  readonly bearer?: string;
  /** It checks a signature, whose secret is made here. */
  readonly isSigned?: true;
  /** Member of what is sent that holds the key. */
  readonly key?: readonly [member: string, where: string];
}

const GITHUB_TOKEN = { bearer: 'Settings, Developer settings, Fine-grained tokens' };

/** By the names of `WEBHOOK_PRESETS`. */
export const PRESET_NEEDS: Readonly<Record<string, Needs>> = {
  standard: { url: 'as its receiver gives it', isSigned: true },
  plain: { url: 'as its receiver gives it' },
  slack: { url: 'your app, Incoming Webhooks: Webhook URL' },
  discord: { url: 'the channel, Integrations, Webhooks: Copy Webhook URL' },
  teams: { url: 'the channel, Workflows: “Post to a channel when a webhook request is received”' },
  ntfy: { url: 'https://ntfy.sh/ and the name of your topic' },
  'home-assistant': {
    url: 'its address, and then /api/services/{domain}/{service}',
    bearer: 'your profile, Security: Long-lived access tokens',
  },
  'github-dispatch': GITHUB_TOKEN,
  'github-comment': GITHUB_TOKEN,
  'gitlab-trigger': { key: ['token', 'Settings, CI/CD: Pipeline trigger tokens'] },
  pagerduty: { key: ['routing_key', 'the service, Integrations, Events API v2: Integration Key'] },
  'grafana-annotation': {
    url: 'its address, and then /api/annotations',
    bearer: 'Administration, Service accounts: Add token',
  },
};

const askPreset = async (questions: Questions, preset: string): Promise<WebhookTarget> => {
  const { url, bearer, key, isSigned } = PRESET_NEEDS[preset] ?? {};
  const wrongAddress = (text: string) => (isAddress(text) ? undefined : 'It begins with https://.');
  return {
    preset,
    ...(url === undefined ? {} : { url: await questions.ask(`Its address: ${url}`, wrongAddress) }),
    ...(bearer === undefined ? {} : { bearer: await questions.askSecret(`Its token (not shown): ${bearer}`) }),
    ...(key === undefined ? {} : { fixed: { [key[0]]: await questions.askSecret(`Its key (not shown): ${key[1]}`) } }),
    ...(isSigned === undefined ? {} : makeSecret(questions)),
  };
};

/** A receiver that is slower is not waited for. */
const TEST_CALL_MS = 10 * SECOND_MS;
const TEST_TEXT = 'A test of passepartout.';

/** Other services would do something. */
const takesTest = ({ preset }: WebhookTarget): boolean =>
  ['standard', 'plain', undefined].includes(preset) || String(WEBHOOK_PRESETS[preset ?? '']?.body?.required) === 'text';

/** One call that says that it is a test. @returns what is wrong with the answer */
const callTarget = async (target: WebhookTarget): Promise<string | undefined> => {
  const body = { test: true, from: 'the set-up of passepartout', text: TEST_TEXT };
  const request = buildWebhookRequest(target, body, `msg_${randomBytes(12).toString('hex')}`, Date.now());
  if (request === undefined) return 'its secret cannot sign';
  const { url, ...init } = request;
  try {
    const { status, ok } = await fetch(url, { ...init, signal: AbortSignal.timeout(TEST_CALL_MS), redirect: 'manual' });
    return ok ? undefined : `it answered with status ${status}`;
  } catch (error) {
    return `it is not reachable: ${causeOf(error)}`;
  }
};

/** @returns whether the target is to be kept */
const tryTarget = async (questions: Questions, target: WebhookTarget): Promise<boolean> => {
  if (!takesTest(target) || !(await questions.confirm('Send one test call to it now?'))) return true;
  const problem = await questions.during('Calling it', () => callTarget(target));
  questions.tell(problem === undefined ? 'It took the test call.' : `It did not take the test call: ${problem}.`);
  return problem === undefined || (await questions.confirm('Take it all the same?'));
};

export const targetStep: Step = {
  name: 'webhook',
  title: 'A webhook that the agent may call, each time with your yes',
  ask: async (questions, variables) => {
    const presets = Object.keys(WEBHOOK_PRESETS);
    const answer = await questions.ask('Its address (https://…), or a service such as slack; empty for none', (text) =>
      text === '' || presets.includes(text) || isAddress(text)
        ? undefined
        : `It begins with https://, is on this machine, or is one of ${presets.join(', ')}.`,
    );
    if (answer === '') return undefined;
    const isPreset = presets.includes(answer);
    const name = await questions.ask(
      'A name for it, such as deploy',
      (text) => (/^[a-z][a-z0-9-]{0,31}$/.test(text) ? undefined : 'One word of small letters, digits and "-".'),
      isPreset ? answer : undefined,
    );
    const target = isPreset ? await askPreset(questions, answer) : { url: answer, ...(await askProof(questions)) };
    const value = JSON.stringify({ ...targetsOf(variables), [name]: target });
    const problem = problemOf('WEBHOOK_TARGETS', value);
    if (problem !== undefined) questions.tell(`That cannot be used: ${problem}.`);
    if (problem !== undefined || !(await tryTarget(questions, target))) return undefined;
    return {
      WEBHOOK_TARGETS: value,
      ...(target.url?.startsWith('http:') === true ? { ALLOW_LOOPBACK_WEBHOOKS: '1' } : {}),
    };
  },
  check: (variables) => {
    const problem = problemOf('WEBHOOK_TARGETS', variables.WEBHOOK_TARGETS ?? '{}');
    if (problem !== undefined) return refused(problem);
    const names = Object.keys(targetsOf(variables));
    return fine(names.length === 0 ? 'None is set.' : `Set: ${names.map(printable).join(', ')}.`);
  },
};
